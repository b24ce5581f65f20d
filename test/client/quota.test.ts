import { describe, expect, test } from 'bun:test';
import { foreseenRefusal, Quota } from '../../src/client/quota.ts';

function told(remaining: number, resetAtSeconds = 60, limit = 60) {
  return { limit, remaining, resetAtSeconds, resetInMs: resetAtSeconds * 1000 };
}

function quotaAfter(...standings: Parameters<Quota['learn']>[0][]): Quota {
  const quota = new Quota();
  for (const standing of standings) quota.learn(standing, 0, 0);
  return quota;
}

describe('what an account has left for certain', () => {
  test('is nothing before it is told', () => {
    expect(quotaAfter().remaining).toBe(0);
    expect(quotaAfter().usedUpAt(0)).toBeUndefined();
  });

  test('is the smaller number of a window, in whichever order answers come', () => {
    expect(quotaAfter(told(7), told(5), told(6)).remaining).toBe(5);
  });

  test('is the number of the later window, in whichever order answers come', () => {
    expect(quotaAfter(told(0, 60), told(59, 120)).remaining).toBe(59);
    expect(quotaAfter(told(59, 120), told(0, 60)).remaining).toBe(59);
  });

  test('is the new number after a change of plan', () => {
    expect(quotaAfter(told(3, 60, 60), told(240, 60, 300)).remaining).toBe(240);
  });

  test('is one less for every answer that is lost or does not tell', () => {
    const quota = quotaAfter(told(7));
    quota.learnNothing();
    quota.abandon();
    expect(quota.remaining).toBe(5);
  });

  test('leaves out what was given up until a request is answered that left later', () => {
    const quota = quotaAfter(told(7));
    const before = quota.abandoned;
    quota.abandon();
    quota.learn(told(6), 0, before);
    expect(quota.remaining).toBe(5);
    quota.learn(told(4), 0, quota.abandoned);
    expect(quota.remaining).toBe(4);
    quota.learn(told(5), 0, before);
    expect(quota.remaining).toBe(4);
  });

  test('has no bound where the service never tells', () => {
    const quota = quotaAfter();
    quota.learnNothing();
    quota.abandon();
    expect(quota.remaining).toBe(Infinity);
    quota.learn(told(7), 0, quota.abandoned);
    expect(quota.remaining).toBe(7);
  });

  test('is used up until the window resets, and not at that moment', () => {
    expect(quotaAfter(told(0)).usedUpAt(59_999)?.resetMs).toBe(60_000);
    expect(quotaAfter(told(0)).usedUpAt(60_000)).toBeUndefined();
  });
});

describe('a refusal that is foreseen', () => {
  const midnight = Date.parse('2026-11-16T00:00:00Z') / 1000;
  test.each([
    ['a minute and a second off', midnight - 3600, 61, 'rate_limit_minute'],
    ['hours off, but not at midnight', midnight - 3600, 7200, 'rate_limit_day'],
    ['at midnight, hours off', midnight, 7200, 'rate_limit_day'],
    ['at midnight, seconds off', midnight, 20, 'rate_limit_day'],
  ])('with a reset %s has the most likely code, and a message that is true', (...row) => {
    const [, resetAtSeconds, seconds, code] = row;
    const quota = quotaAfter(told(0, resetAtSeconds, 7));
    const usedUp = quota.usedUpAt(0) as NonNullable<ReturnType<Quota['usedUpAt']>>;
    const error = foreseenRefusal('getPet', seconds, usedUp);
    const resetAt = new Date(resetAtSeconds * 1000);
    expect(error).toMatchObject({ code, resetAt, limit: 7, retryAfterSeconds: seconds });
    expect(error.message).toStartWith(
      `The limit of 7 requests is used up until ${resetAt.toISOString()}.`,
    );
    expect(error.message).not.toMatch(/minute|day/);
  });
});
