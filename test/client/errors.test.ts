import { expect, test } from 'bun:test';
import { errorFromResponse } from '../../packages/client/src/errors.ts';
import { receivedResponse } from './received-response.ts';

test('a 429 is a RateLimitError whatever its body', () => {
  const error = errorFromResponse(
    receivedResponse(429, { 'Retry-After': '30' }, 'slow down'),
    'listPets',
  );
  expect(error).toMatchObject({
    name: 'RateLimitError',
    status: 429,
    code: 'too_many_requests',
    limit: undefined,
    retryAfterSeconds: 30,
    resetAt: new Date('2026-11-15T12:00:30Z'),
  });
});

test('an error body whose status differs from the response status is not from the service', () => {
  const body = '{"code":"FORBIDDEN","message":"Go away.","status":429}';
  const response = { ...receivedResponse(403, {}, body), requestId: 'request-7' };
  const error = errorFromResponse(response, 'getPet');
  expect(error).toMatchObject({ name: 'UnexpectedResponseError', requestId: 'request-7' });
});
