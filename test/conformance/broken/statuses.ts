import { hasStatus, isCreatePet, isGetPet, onResponse, withStatus } from '../faults.ts';
import { BAD_BODY_CHECKS, type BrokenServer } from './broken-server.ts';

export const STATUS_FAULTS: readonly BrokenServer[] = [
  {
    name: 'returns 206 for a list without parameters',
    caughtBy: ['listPets.listed', 'listPets.limit.default'],
    fault: onResponse(
      ({ status }, request) => status === 200 && request.url.endsWith('/pets'),
      withStatus(206),
    ),
  },
  {
    name: 'returns 200 for createPet',
    caughtBy: [
      'resources.petStatus.values',
      'resources.newPet.categoryId.int64',
      'resources.newPet.status.optional',
      'resources.pet.id.assigned',
      'createPet.created',
    ],
    fault: onResponse(hasStatus(201), withStatus(200)),
  },
  {
    name: 'returns 422 for invalid bodies',
    caughtBy: BAD_BODY_CHECKS,
    fault: onResponse(hasStatus(400), withStatus(422)),
  },
  {
    name: 'returns 400 for an unknown id',
    caughtBy: ['getPet.notFound'],
    fault: onResponse(hasStatus(404), withStatus(400)),
  },
  {
    name: 'returns 200 and null for an unknown id',
    caughtBy: ['getPet.notFound'],
    fault: onResponse(hasStatus(404), ({ headers }) => new Response('null', { headers })),
  },
  {
    name: 'returns 500 when getPet finds a pet',
    caughtBy: ['states.supplied', 'getPet.found', 'authentication.accepted.getPet'],
    fault: onResponse(
      ({ status }, request) => isGetPet(request) && status === 200,
      withStatus(500),
    ),
  },
  {
    name: 'returns 500 for an id that is not a number',
    caughtBy: ['getPet.petId.integer'],
    fault: onResponse(
      ({ status }, request) => isGetPet(request) && status === 400,
      withStatus(500),
    ),
  },
  {
    name: 'returns 500 for an empty body',
    caughtBy: ['createPet.body.required'],
    fault: async (request, conforming) =>
      isCreatePet(request) && (await request.clone().text()) === ''
        ? withStatus(500)(await conforming(request))
        : conforming(request),
  },
  {
    name: 'returns 500 for a body that is not JSON',
    caughtBy: ['createPet.body.json'],
    fault: async (request, conforming) =>
      isCreatePet(request) && (await request.clone().text()).endsWith(',')
        ? withStatus(500)(await conforming(request))
        : conforming(request),
  },
];
