import {
  hasStatus,
  isCreatePet,
  isError,
  isGetPet,
  isSuccess,
  onResponse,
  withField,
  withHeader,
  withStatus,
} from '../faults.ts';
import { BAD_BODY_CHECKS, type BrokenServer } from './broken-server.ts';

/** Servers with a wrong status, error body or header. */
export const RESPONSE_FAULTS: readonly BrokenServer[] = [
  {
    name: 'returns 200 for createPet',
    caughtBy: ['createPet.created'],
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
    name: 'returns 500 for an id that is not a number',
    caughtBy: ['getPet.petId.integer'],
    fault: onResponse(
      ({ status }, request) => isGetPet(request) && status === 400,
      withStatus(500),
    ),
  },
  {
    name: 'returns 500 for a body that is not JSON',
    caughtBy: ['createPet.body.json'],
    fault: async (request, conforming) =>
      isCreatePet(request) && (await request.clone().text()).endsWith(',')
        ? withStatus(500)(await conforming(request))
        : conforming(request),
  },
  {
    name: 'has a number as the code of errors',
    caughtBy: ['errors.code'],
    fault: onResponse(isError, withField('code', 17)),
  },
  {
    name: 'omits the message of errors',
    caughtBy: ['errors.message'],
    fault: onResponse(isError, withField('message', undefined)),
  },
  {
    name: 'has another status in the body of errors',
    caughtBy: ['errors.status'],
    fault: onResponse(isError, withField('status', 400)),
  },
  {
    name: 'returns text/plain',
    caughtBy: ['responses.json'],
    fault: onResponse(isSuccess, withHeader('Content-Type', 'text/plain')),
  },
  {
    name: 'announces another day for the removal of getPet',
    caughtBy: ['versioning.deprecation'],
    fault: onResponse(
      (_, request) => isGetPet(request),
      withHeader('Sunset', 'Wed, 05 Dec 2029 00:00:00 GMT'),
    ),
  },
];
