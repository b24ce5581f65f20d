import { expect, test } from 'bun:test';
import type { Refusal } from '../../src/domain/rate-limit.ts';
import { refusalProblem } from '../../src/http/limit-rate.ts';

const REFUSAL: Refusal = {
  window: 'minute',
  limit: 60,
  remaining: 0,
  resetAtSeconds: 100,
  refusedBy: 'minute',
  retryAfterSeconds: 30,
};

test('who is admitted has no problem', () => {
  const { refusedBy, retryAfterSeconds, ...standing } = REFUSAL;
  expect(refusalProblem(standing)).toBeUndefined();
});

test.each([
  ['of another window', { refusedBy: 'day' }],
  ['of a ban', { refusedBy: 'ban' }],
  ['of another limit', { limit: 61 }],
  ['for another time', { retryAfterSeconds: 31 }],
] as const)('a refusal %s is told in other words than the one before', (_, other) => {
  const first = refusalProblem(REFUSAL);
  expect(refusalProblem({ ...REFUSAL })).toBe(first);
  const second = refusalProblem({ ...REFUSAL, ...other });
  expect(second).not.toEqual(first);
  expect(second).toMatchObject({ retryAfterSeconds: { ...REFUSAL, ...other }.retryAfterSeconds });
  expect(refusalProblem(REFUSAL)).toEqual(first);
});
