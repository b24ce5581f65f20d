import { describe, expect, test } from 'bun:test';
import type { Caller, Counts } from '#domain/rate-limit.ts';
import { RemainingQuota } from '#limiters/redis/remaining-quota.ts';
import { Clock } from '../support/time.ts';

const clock = new Clock('2026-11-15T12:00:00Z');
const NOW_SECONDS = clock.now() / 1000;
const DAY_START = NOW_SECONDS - 12 * 3_600;
const LINK = {};

function counts(minuteUsed: number, dayUsed: number): Counts {
  const minuteStartSeconds = NOW_SECONDS - 20;
  return { minuteStartSeconds, minuteUsed, dayStartSeconds: DAY_START, dayUsed };
}

function callerOf(perMinute: number, perDay: number, subject = 'account:1'): Caller {
  return { subject, perMinute, perDay };
}

/** The quota of one of four instances that sent some requests, and then got reports at these times. */
function reported(caller: Caller, counts: Counts, sent = 0, afterMs = [0]): RemainingQuota {
  const quota = new RemainingQuota(4);
  for (let i = 0; i < sent; i++) quota.recordSent(caller.subject, clock.now());
  for (const ms of afterMs) {
    const report = { counts, createdAt: 1, nowMs: clock.now() + ms };
    quota.recordReport(caller.subject, report, LINK);
  }
  return quota;
}

describe('the remaining quota of an instance', () => {
  const caller = callerOf(100, 1_000);
  const take = (quota: RemainingQuota) => quota.take(caller, clock.now());

  test('of a day gives a Retry-After of at most a minute', () => {
    const quota = reported(caller, counts(0, 993));
    const windows = { minute: { limit: 100, remaining: 24 }, day: { limit: 1_000, remaining: 0 } };
    expect(take(quota)).toMatchObject({ window: 'day', limit: 1_000, windows });
    expect(take(quota)).toMatchObject({
      refusedBy: 'day',
      retryAfterSeconds: 60,
      resetAtSeconds: DAY_START + 86_400,
    });
  });

  test('of a day that Redis reported as full gives the time until the day ends', () => {
    const quota = reported(caller, counts(40, 1_000));
    expect(take(quota)).toMatchObject({
      refusedBy: 'day',
      retryAfterSeconds: 12 * 3_600,
    });
  });

  test('is never below zero', () => {
    const quota = reported(caller, counts(40, 40), 99);
    expect(take(quota)).toHaveProperty('refusedBy', 'minute');
  });

  test.each([
    [[0], 0, 8],
    [[0, 2_000], 3_000, 8],
    [[0, 2_000, 4_000], 4_000, 14],
    [[0], 30_000, 8],
    [[0], 30_001, 14],
  ])(
    'excludes requests for two periods, and for 30 seconds without a new one: after %j and %d ms',
    (reportsMs, atMs, remaining) => {
      const quota = reported(caller, counts(40, 40), 6, reportsMs);
      expect(quota.take(caller, clock.now() + atMs).remaining).toBe(remaining);
    },
  );

  test('starts from the full limit in the next minute, while the day continues', () => {
    const quota = reported(caller, counts(100, 900), 3);
    expect(take(quota)).toHaveProperty('refusedBy', 'minute');
    const laterMs = clock.now() + 60_000;
    expect(quota.take(caller, laterMs)).toMatchObject({ window: 'day', remaining: 21 });
    expect(quota.take(callerOf(40, 1_000), laterMs)).toMatchObject({
      window: 'minute',
      remaining: 8,
    });
  });

  test('of an unknown subject is part of the full limit, and at least 1', () => {
    const quota = new RemainingQuota(4);
    expect(quota.take(callerOf(100, 1_000, 'account:2'), clock.now()).remaining).toBe(24);
    const small = callerOf(3, 1_000, 'account:3');
    expect(quota.take(small, clock.now())).not.toHaveProperty('refusedBy');
    expect(quota.take(small, clock.now())).toHaveProperty('refusedBy', 'minute');
  });
});

test('a settlement leaves out requests of a minute that is over', () => {
  const caller = callerOf(100, 1_000);
  const quota = reported(caller, counts(40, 40));
  quota.take(caller, clock.now());
  quota.take(caller, clock.now() + 60_000);
  const settlement = quota.settlement(caller.subject, {});
  expect(settlement?.admitted).toMatchObject({ minuteUsed: 1, dayUsed: 2 });
});

test('a settlement has what Redis counted on the last connection, and each request once', () => {
  const caller = callerOf(1_000, 1_000);
  const quota = reported(caller, counts(500, 500));
  quota.take(caller, clock.now());
  const second = {};
  const admitted = { minuteUsed: 1, dayUsed: 1 };
  expect(quota.settlement(caller.subject, second)).toMatchObject({ admitted });
  const report = { counts: counts(800, 800), createdAt: 2, nowMs: clock.now() };
  quota.settle(caller.subject, report, second);
  expect(quota.settlement(caller.subject, {})).toMatchObject({
    known: { counts: counts(800, 800), createdAt: 2 },
    admitted: { minuteUsed: 0, dayUsed: 0 },
  });
});

test('Redis may lack admitted requests and, in a new run, all counts, first the fullest', async () => {
  const quota = new RemainingQuota(1);
  const nowMs = clock.now();
  const used = { 'account:1': 1, 'account:2': 500, 'account:3': 0, 'address:4': 40 };
  for (const [subject, dayUsed] of Object.entries(used)) {
    quota.recordReport(subject, { counts: counts(0, dayUsed), createdAt: 1, nowMs }, LINK);
  }
  quota.take(callerOf(9, 9, 'account:2'), nowMs, true);
  expect(await quota.unsettled(false, nowMs)).toEqual([]);
  quota.take(callerOf(9, 9, 'account:5'), nowMs);
  const returned = {};
  expect(quota.settlement('account:5', returned)).toBeDefined();
  expect(quota.settlement('account:5', returned)).toBeUndefined();
  expect(await quota.unsettled(false, nowMs)).toEqual(['account:5']);
  const all = ['account:5', 'account:2', 'address:4', 'account:1'];
  expect(await quota.unsettled(true, nowMs)).toEqual(all);
  expect(await quota.unsettled(true, nowMs + 86_400_000)).toEqual([]);
});
