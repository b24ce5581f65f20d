import { expect, test } from 'bun:test';
import { errorFrom } from '../../src/client/outcome.ts';
import { answerOf } from './answer-of.ts';

test('a 429 is a RateLimitError whatever its body is', () => {
  const error = errorFrom(answerOf(429, { 'Retry-After': '30' }, 'slow down'), 'listPets');
  expect(error).toMatchObject({
    ...{ name: 'RateLimitError', status: 429, code: 'too_many_requests', limit: undefined },
    ...{ retryAfterSeconds: 30, resetAt: new Date('2026-11-15T12:00:30Z') },
  });
});
