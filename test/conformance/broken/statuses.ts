import { answering, hasStatus, isCreation, isOne, withStatus } from '../faults.ts';
import { type BrokenServer, CHECKS_OF_BAD_BODIES } from './broken-server.ts';

export const WRONG_STATUSES: readonly BrokenServer[] = [
  {
    name: 'answers a list without parameters with 206',
    caughtBy: ['listPets.listed', 'listPets.limit.default'],
    fault: answering(
      ({ status }, request) => status === 200 && request.url.endsWith('/pets'),
      withStatus(206),
    ),
  },
  {
    name: 'answers a creation with 200',
    caughtBy: [
      'resources.petStatus.values',
      'resources.newPet.categoryId.int64',
      'resources.newPet.status.optional',
      'resources.pet.id.assigned',
      'createPet.created',
    ],
    fault: answering(hasStatus(201), withStatus(200)),
  },
  {
    name: 'answers wrong bodies with 422',
    caughtBy: CHECKS_OF_BAD_BODIES,
    fault: answering(hasStatus(400), withStatus(422)),
  },
  {
    name: 'answers an unknown id with 400',
    caughtBy: ['getPet.notFound'],
    fault: answering(hasStatus(404), withStatus(400)),
  },
  {
    name: 'answers an unknown id with 200 and null',
    caughtBy: ['getPet.notFound'],
    fault: answering(hasStatus(404), ({ headers }) => new Response('null', { headers })),
  },
  {
    name: 'breaks when an animal is found',
    caughtBy: ['states.supplied', 'getPet.found', 'authentication.accepted.getPet'],
    fault: answering(({ status }, request) => isOne(request) && status === 200, withStatus(500)),
  },
  {
    name: 'breaks at an id that is no number',
    caughtBy: ['getPet.petId.integer'],
    fault: answering(({ status }, request) => isOne(request) && status === 400, withStatus(500)),
  },
  {
    name: 'breaks at an empty body',
    caughtBy: ['createPet.body.required'],
    fault: async (request, honest) =>
      isCreation(request) && (await request.clone().text()) === ''
        ? withStatus(500)(await honest(request))
        : honest(request),
  },
  {
    name: 'breaks at a body that is no JSON',
    caughtBy: ['createPet.body.json'],
    fault: async (request, honest) =>
      isCreation(request) && (await request.clone().text()).endsWith(',')
        ? withStatus(500)(await honest(request))
        : honest(request),
  },
];
