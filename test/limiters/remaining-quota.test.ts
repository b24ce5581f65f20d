import { describe, expect, test } from 'bun:test';
import type { Caller, Counts } from '../../src/domain/rate-limit.ts';
import { RemainingQuota } from '../../src/limiters/redis/remaining-quota.ts';
import { Clock } from '../support/clock.ts';

const clock = new Clock('2026-11-15T12:00:00Z');
const NOW_SECONDS = clock.now() / 1000;
const MINUTE_START = NOW_SECONDS - 20;
const LINK = {};
const DAY_START = NOW_SECONDS - 12 * 3_600;

function counts(minuteUsed: number, dayUsed: number): Counts {
  return {
    minuteStartSeconds: MINUTE_START,
    minuteUsed,
    dayStartSeconds: DAY_START,
    dayUsed,
  };
}

function report(counts: Counts, nowMs: number) {
  return { counts: counts, createdAt: 1, nowMs };
}

function callerOf(subject: string, perMinute: number, perDay: number): Caller {
  return { subject, perMinute, perDay };
}

function reported(instances: number, caller: Caller, counts: Counts, sent = 0): RemainingQuota {
  const quota = new RemainingQuota(instances);
  for (let i = 0; i < sent; i++) quota.send(caller.subject, clock.now());
  quota.report(caller.subject, report(counts, clock.now()), LINK);
  return quota;
}

describe('the remaining quota of an instance', () => {
  const caller = callerOf('account:1', 100, 1_000);

  test('of a day gives a Retry-After of at most a minute', () => {
    const quota = reported(4, caller, counts(0, 993));
    expect(quota.take(caller, clock.now())).toMatchObject({ window: 'day', limit: 1_000 });
    expect(quota.take(caller, clock.now())).toMatchObject({
      refusedBy: 'day',
      retryAfterSeconds: 60,
      resetAtSeconds: DAY_START + 86_400,
    });
  });

  test('of a day that Redis reported as full gives the time until the day ends', () => {
    const quota = reported(4, caller, counts(40, 1_000));
    expect(quota.take(caller, clock.now())).toMatchObject({
      refusedBy: 'day',
      retryAfterSeconds: 12 * 3_600,
    });
  });

  test('excludes requests that were sent just before the last report', () => {
    expect(reported(4, caller, counts(40, 40), 6).take(caller, clock.now()).remaining).toBe(8);
    expect(reported(4, caller, counts(40, 40), 99).take(caller, clock.now())).toHaveProperty(
      'refusedBy',
    );
  });

  test('stops excluding requests after two periods, or after 30 seconds without a new one', () => {
    const quota = reported(4, caller, counts(40, 40), 6);
    quota.report(caller.subject, report(counts(40, 40), clock.now() + 2_000), LINK);
    expect(quota.take(caller, clock.now() + 3_000).remaining).toBe(8);
    const later = reported(4, caller, counts(40, 40), 6);
    for (const ms of [2_000, 4_000])
      later.report(caller.subject, report(counts(40, 40), clock.now() + ms), LINK);
    expect(later.take(caller, clock.now() + 4_000).remaining).toBe(14);
    const quiet = reported(4, caller, counts(40, 40), 6);
    expect(quiet.take(caller, clock.now() + 30_001).remaining).toBe(14);
  });

  test('starts from the full limit in the next minute, while the day continues', () => {
    const quota = reported(4, caller, counts(100, 900), 3);
    expect(quota.take(caller, clock.now())).toHaveProperty('refusedBy', 'minute');
    const laterMs = clock.now() + 60_000;
    expect(quota.take(caller, laterMs)).toMatchObject({ window: 'day', remaining: 21 });
    expect(quota.take(callerOf('account:1', 40, 1_000), laterMs)).toMatchObject({
      window: 'minute',
      remaining: 8,
    });
  });

  test('of an unknown subject is part of the full limit, and at least 1', () => {
    const quota = new RemainingQuota(4);
    expect(quota.take(callerOf('account:2', 100, 1_000), clock.now()).remaining).toBe(24);
    const small = callerOf('account:3', 3, 1_000);
    expect(quota.take(small, clock.now())).not.toHaveProperty('refusedBy');
    expect(quota.take(small, clock.now())).toHaveProperty('refusedBy', 'minute');
  });
});

test('a settlement leaves out requests of a minute that is over', () => {
  const caller = callerOf('account:1', 100, 1_000);
  const quota = reported(4, caller, counts(40, 40));
  quota.take(caller, clock.now());
  quota.take(caller, clock.now() + 60_000);
  const [settlement] = quota.unsettled();
  expect(settlement?.admitted).toMatchObject({ minuteUsed: 1, dayUsed: 2 });
});
