import { describe, expect, test } from 'bun:test';
import { Quota } from '../../src/client/quota.ts';

function told(remaining: number, resetAtSeconds = 60, limit = 60) {
  return { limit, remaining, resetAtSeconds, resetInMs: resetAtSeconds * 1000 };
}

function quotaAfter(...standings: Parameters<Quota['learn']>[0][]): Quota {
  const quota = new Quota();
  for (const standing of standings) quota.learn(standing, 0);
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
    const quota = quotaAfter(told(7), undefined);
    quota.spend();
    expect(quota.remaining).toBe(5);
  });

  test('has no bound where the service never tells', () => {
    const quota = quotaAfter(undefined);
    expect(quota.remaining).toBe(Infinity);
    quota.learn(told(7), 0);
    expect(quota.remaining).toBe(7);
  });

  test('is used up until the window resets, and not at that moment', () => {
    expect(quotaAfter(told(0)).usedUpAt(59_999)?.resetMs).toBe(60_000);
    expect(quotaAfter(told(0)).usedUpAt(60_000)).toBeUndefined();
  });
});
