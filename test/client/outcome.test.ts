import { expect, test } from 'bun:test';
import { errorFrom, failureOf } from '../../src/client/outcome.ts';
import { answerOf } from './answer-of.ts';

test('a 429 is a RateLimitError whatever its body is', () => {
  const error = errorFrom(answerOf(429, { 'Retry-After': '30' }, 'slow down'), 'listPets');
  expect(error).toMatchObject({
    ...{ name: 'RateLimitError', status: 429, code: 'too_many_requests', limit: undefined },
    ...{ retryAfterSeconds: 30, resetAt: new Date('2026-11-15T12:00:30Z') },
  });
});

test('an error whose status is another than that of the answer is none of the service', () => {
  const body = '{"code":"FORBIDDEN","message":"Go away.","status":429}';
  const answer = { ...answerOf(403, {}, body), requestId: 'request-7' };
  const error = failureOf({ kind: 'answered', answer }, 'getPet');
  expect(error).toMatchObject({ name: 'UnexpectedAnswerError', requestId: 'request-7' });
});
