import {
  hasStatus,
  isError,
  isGetPet,
  isSuccess,
  onResponse,
  withField,
  withHeader,
} from '../faults.ts';
import type { BrokenServer } from './broken-server.ts';

const EVERY_FIELD = ['errors.code', 'errors.message', 'errors.status'];

/** Also of the headers that announce the removal of getPet. */
export const ERROR_FAULTS: readonly BrokenServer[] = [
  {
    name: 'omits the code of errors',
    caughtBy: ['errors.code'],
    fault: onResponse(isError, withField('code', undefined)),
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
    name: 'omits the status of errors',
    caughtBy: ['errors.status'],
    fault: onResponse(isError, withField('status', undefined)),
  },
  {
    name: 'has another status in the body of errors',
    caughtBy: ['errors.status'],
    fault: onResponse(isError, withField('status', 400)),
  },
  {
    name: 'has a string as the status of errors',
    caughtBy: ['errors.status'],
    fault: onResponse(isError, withField('status', String)),
  },
  {
    name: 'returns errors as HTML',
    caughtBy: [...EVERY_FIELD, 'responses.json'],
    fault: onResponse(isError, ({ status, headers }) => {
      headers.set('Content-Type', 'text/html');
      return new Response('<h1>Oh no</h1>', { status, headers });
    }),
  },
  {
    name: 'returns 401 without a body',
    caughtBy: EVERY_FIELD,
    fault: onResponse(
      hasStatus(401),
      ({ status, headers }) => new Response(null, { status, headers }),
    ),
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
  {
    name: 'announces the deprecation of getPet without a day',
    caughtBy: ['versioning.deprecation'],
    fault: onResponse((_, request) => isGetPet(request), withHeader('Deprecation', '@1794614400')),
  },
];
