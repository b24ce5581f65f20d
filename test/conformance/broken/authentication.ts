import {
  hasKey,
  hasStatus,
  isCreatePet,
  isFree,
  isGetPet,
  onRequest,
  onResponse,
  withKey,
  withStatus,
} from '../faults.ts';
import { json, KEY } from '../reference-server.ts';
import { BAD_BODY_CHECKS, type BrokenServer, VALID_BODY_CHECKS } from './broken-server.ts';

const OPERATIONS = ['listPets', 'createPet', 'getPet'];
const EVERY_MISSING_KEY = OPERATIONS.map((operation) => `authentication.missing.${operation}`);
const EVERY_INVALID_KEY = OPERATIONS.map((operation) => `authentication.invalid.${operation}`);

export const AUTHENTICATION_FAULTS: readonly BrokenServer[] = [
  {
    name: 'returns 403 instead of 401',
    caughtBy: [...EVERY_MISSING_KEY, ...EVERY_INVALID_KEY, 'authentication.scheme'],
    fault: onResponse(hasStatus(401), withStatus(403)),
  },
  {
    name: 'requires no key',
    caughtBy: EVERY_MISSING_KEY,
    fault: onRequest((request) => !hasKey(request), withKey),
  },
  {
    name: 'accepts any key',
    caughtBy: EVERY_INVALID_KEY,
    fault: onRequest(
      (request) => /^Bearer /.test(request.headers.get('authorization') ?? '') && !isFree(request),
      withKey,
    ),
  },
  {
    name: 'accepts a key that is not a bearer token',
    caughtBy: ['authentication.scheme'],
    fault: onRequest((request) => request.headers.get('authorization') === KEY, withKey),
  },
  {
    name: 'returns 403 for a list without parameters',
    caughtBy: ['listPets.listed', 'authentication.accepted.listPets'],
    fault: onResponse(
      ({ status }, request) => status === 200 && request.url.endsWith('/pets'),
      ({ headers }) => {
        const error = { code: 'forbidden', message: 'Not allowed.', status: 403 };
        return json(403, error, Object.fromEntries(headers));
      },
    ),
  },
  {
    name: 'returns 401 for createPet with a valid key',
    caughtBy: [...BAD_BODY_CHECKS, ...VALID_BODY_CHECKS, 'authentication.accepted.createPet'],
    fault: onRequest(
      (request) => isCreatePet(request) && !isFree(request),
      (request) => new Request(request.url, { method: 'POST' }),
    ),
  },
  {
    name: 'returns 401 for getPet with a valid key',
    caughtBy: ['getPet.found', 'getPet.notFound', 'authentication.accepted.getPet'],
    fault: onRequest(
      (request) => isGetPet(request) && !isFree(request),
      (request) => new Request(request.url),
    ),
  },
];
