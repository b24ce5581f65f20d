import { answering, hasStatus, isError, isSuccess, withField, withHeader } from '../faults.ts';
import type { BrokenServer } from './broken-server.ts';

const EVERY_FIELD = ['errors.code', 'errors.message', 'errors.status'];

export const WRONG_ERRORS: readonly BrokenServer[] = [
  {
    name: 'has errors without a code',
    caughtBy: ['errors.code'],
    fault: answering(
      isError,
      withField('code', () => undefined),
    ),
  },
  {
    name: 'has errors with a number for a code',
    caughtBy: ['errors.code'],
    fault: answering(
      isError,
      withField('code', () => 17),
    ),
  },
  {
    name: 'has errors without a message',
    caughtBy: ['errors.message'],
    fault: answering(
      isError,
      withField('message', () => undefined),
    ),
  },
  {
    name: 'has errors without a status',
    caughtBy: ['errors.status'],
    fault: answering(
      isError,
      withField('status', () => undefined),
    ),
  },
  {
    name: 'has errors with a status of their own',
    caughtBy: ['errors.status'],
    fault: answering(
      isError,
      withField('status', () => 400),
    ),
  },
  {
    name: 'has errors with the status in a string',
    caughtBy: ['errors.status'],
    fault: answering(isError, withField('status', String)),
  },
  {
    name: 'has errors in HTML',
    caughtBy: [...EVERY_FIELD, 'answers.json'],
    fault: answering(isError, ({ status, headers }) => {
      headers.set('Content-Type', 'text/html');
      return new Response('<h1>Oh no</h1>', { status, headers });
    }),
  },
  {
    name: 'has an empty body for a missing key',
    caughtBy: EVERY_FIELD,
    fault: answering(
      hasStatus(401),
      ({ status, headers }) => new Response(null, { status, headers }),
    ),
  },
  {
    name: 'says text/plain',
    caughtBy: ['answers.json'],
    fault: answering(isSuccess, withHeader('Content-Type', 'text/plain')),
  },
];
