import {
  answering,
  asking,
  hasKey,
  hasStatus,
  isCreation,
  isFree,
  isList,
  isOne,
  withKey,
  withStatus,
} from '../faults.ts';
import { json, KEY } from '../small-server.ts';
import { type BrokenServer, CHECKS_OF_BAD_BODIES } from './broken-server.ts';

const OPERATIONS = ['listPets', 'createPet', 'getPet'];
const EVERY_MISSING_KEY = OPERATIONS.map((operation) => `authentication.missing.${operation}`);
const EVERY_INVALID_KEY = OPERATIONS.map((operation) => `authentication.invalid.${operation}`);

export const WRONG_AUTHENTICATION: readonly BrokenServer[] = [
  {
    name: 'answers 403 in place of 401',
    caughtBy: [...EVERY_MISSING_KEY, ...EVERY_INVALID_KEY, 'authentication.scheme'],
    fault: answering(hasStatus(401), withStatus(403)),
  },
  {
    name: 'asks for no key',
    caughtBy: EVERY_MISSING_KEY,
    fault: asking((request) => !hasKey(request), withKey),
  },
  {
    name: 'lists without a key',
    caughtBy: ['authentication.missing.listPets'],
    fault: asking((request) => isList(request) && !hasKey(request), withKey),
  },
  {
    name: 'takes any key',
    caughtBy: EVERY_INVALID_KEY,
    fault: asking(
      (request) => /^Bearer /.test(request.headers.get('authorization') ?? '') && !isFree(request),
      withKey,
    ),
  },
  {
    name: 'adds animals with any key',
    caughtBy: ['authentication.invalid.createPet'],
    fault: asking((request) => isCreation(request) && hasKey(request) && !isFree(request), withKey),
  },
  {
    name: 'takes a key that is no bearer token',
    caughtBy: ['authentication.scheme'],
    fault: asking((request) => request.headers.get('authorization') === KEY, withKey),
  },
  {
    name: 'refuses a good key for a list without parameters',
    caughtBy: [
      'listPets.listed',
      'listPets.array',
      'listPets.limit.default',
      'authentication.accepted.listPets',
    ],
    fault: asking(
      (request) => isList(request) && request.url.endsWith('/pets'),
      (request) => new Request(request.url),
    ),
  },
  {
    name: 'forbids a list without parameters',
    caughtBy: [
      'listPets.listed',
      'listPets.array',
      'listPets.limit.default',
      'authentication.accepted.listPets',
    ],
    fault: answering(
      ({ status }, request) => status === 200 && request.url.endsWith('/pets'),
      ({ headers }) => {
        const error = { code: 'forbidden', message: 'Not this one.', status: 403 };
        return json(403, error, Object.fromEntries(headers));
      },
    ),
  },
  {
    name: 'refuses a good key when an animal is added',
    caughtBy: [
      'resources.petStatus.values',
      ...CHECKS_OF_BAD_BODIES,
      'resources.newPet.categoryId.int64',
      'resources.newPet.status.optional',
      'resources.pet.id.assigned',
      'createPet.created',
      'authentication.accepted.createPet',
    ],
    fault: asking(
      (request) => isCreation(request) && !isFree(request),
      (request) => new Request(request.url, { method: 'POST' }),
    ),
  },
  {
    name: 'refuses a good key when one animal is asked for',
    caughtBy: [
      'states.supplied',
      'getPet.found',
      'getPet.notFound',
      'authentication.accepted.getPet',
    ],
    fault: asking(
      (request) => isOne(request) && !isFree(request),
      (request) => new Request(request.url),
    ),
  },
];
