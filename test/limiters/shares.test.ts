import { describe, expect, test } from 'bun:test';
import type { Caller, Usage } from '../../src/domain/rate-limit.ts';
import { Shares } from '../../src/limiters/redis/shares.ts';
import { Clock } from '../support/clock.ts';

const clock = new Clock('2026-11-15T12:00:00Z');
const NOW_SECONDS = clock.now() / 1000;
const MINUTE_START = NOW_SECONDS - 20;
const LINK = {};
const DAY_START = NOW_SECONDS - 12 * 3_600;

function usage(minuteUsed: number, dayUsed: number): Usage {
  return {
    ...{ minuteStartSeconds: MINUTE_START, minuteUsed, dayStartSeconds: DAY_START, dayUsed },
  };
}

function report(counts: Usage, nowMs: number) {
  return { usage: counts, createdAt: 1, nowMs };
}

function callerOf(subject: string, perMinute: number, perDay: number): Caller {
  return { subject, limits: { perMinute, perDay } };
}

function take(shares: Shares, caller: Caller, nowMs: number) {
  return shares.take(caller, nowMs).decision;
}

function reported(instances: number, caller: Caller, counts: Usage, sent = 0): Shares {
  const shares = new Shares(instances);
  for (let i = 0; i < sent; i++) shares.send(caller.subject, clock.now());
  shares.report(caller.subject, report(counts, clock.now()), LINK);
  return shares;
}

describe('the share of an instance', () => {
  const caller = callerOf('account:1', 100, 1_000);

  test('is the last reported remainder divided by the number of instances', () => {
    const shares = reported(4, caller, usage(40, 40));
    const remaining = Array.from({ length: 16 }, () => take(shares, caller, clock.now()));
    expect(remaining[0]).toMatchObject({ window: 'minute', limit: 100, remaining: 14 });
    expect(remaining[14]).toMatchObject({ remaining: 0 });
    expect(remaining[14]).not.toHaveProperty('refusedBy');
    expect(remaining[15]).toMatchObject({ refusedBy: 'minute', retryAfterSeconds: 40, limit: 100 });
  });

  test('also applies to the day, with a Retry-After of at most a minute', () => {
    const shares = reported(4, caller, usage(0, 993));
    expect(take(shares, caller, clock.now())).toMatchObject({ window: 'day', limit: 1_000 });
    expect(take(shares, caller, clock.now())).toMatchObject({
      refusedBy: 'day',
      retryAfterSeconds: 60,
      resetAtSeconds: DAY_START + 86_400,
    });
  });

  test('of a day that Redis reported as full gives the time until the day ends', () => {
    const shares = reported(4, caller, usage(40, 1_000));
    expect(take(shares, caller, clock.now())).toMatchObject({
      refusedBy: 'day',
      retryAfterSeconds: 12 * 3_600,
    });
  });

  test('is the whole remainder when there is one instance', () => {
    const shares = reported(1, caller, usage(60, 60), 60);
    expect(shares.peek(caller, clock.now()).remaining).toBe(40);
  });

  test('excludes requests that were sent just before the last report', () => {
    expect(reported(4, caller, usage(40, 40), 6).peek(caller, clock.now()).remaining).toBe(9);
    expect(reported(4, caller, usage(40, 40), 99).peek(caller, clock.now()).remaining).toBe(0);
  });

  test('stops excluding requests after two periods, or after 30 seconds without a new one', () => {
    const shares = reported(4, caller, usage(40, 40), 6);
    shares.report(caller.subject, report(usage(40, 40), clock.now() + 2_000), LINK);
    expect(shares.peek(caller, clock.now() + 3_000).remaining).toBe(9);
    const later = reported(4, caller, usage(40, 40), 6);
    for (const ms of [2_000, 4_000])
      later.report(caller.subject, report(usage(40, 40), clock.now() + ms), LINK);
    expect(later.peek(caller, clock.now() + 4_000).remaining).toBe(15);
    const quiet = reported(4, caller, usage(40, 40), 6);
    expect(quiet.peek(caller, clock.now() + 30_001).remaining).toBe(15);
  });

  test('excludes all requests that were sent after the last report', () => {
    const shares = reported(4, caller, usage(40, 40));
    for (let i = 0; i < 6; i++) shares.send(caller.subject, clock.now() + i * 3_000);
    expect(shares.peek(caller, clock.now() + 20_000).remaining).toBe(9);
  });

  test('excludes requests in flight when a response for another account begins a day', () => {
    const shares = new Shares(4);
    for (let i = 0; i < 6; i++) shares.send(caller.subject, clock.now());
    shares.report('account:2', report(usage(1, 1), clock.now()), LINK);
    shares.report(caller.subject, report(usage(40, 40), clock.now()), LINK);
    expect(shares.peek(caller, clock.now()).remaining).toBe(9);
  });

  test('is known after a response for another account at a test time', () => {
    const shares = reported(4, caller, usage(40, 40), 6);
    const later = { ...usage(1, 1), dayStartSeconds: DAY_START + 900 * 86_400 };
    const laterMs = clock.now() + 900 * 86_400_000;
    shares.report('account:2', report(later, laterMs), LINK, true);
    expect(shares.peek(caller, clock.now()).remaining).toBe(9);
  });

  test('is empty when nothing remained', () => {
    const shares = reported(4, caller, usage(100, 100));
    expect(take(shares, caller, clock.now())).toMatchObject({ refusedBy: 'minute' });
  });

  test('starts from the full limit in the next minute, while the day continues', () => {
    const shares = reported(4, caller, usage(100, 900), 3);
    expect(take(shares, caller, clock.now())).toHaveProperty('refusedBy', 'minute');
    const laterMs = clock.now() + 60_000;
    expect(take(shares, caller, laterMs)).toMatchObject({ window: 'day', remaining: 21 });
    expect(shares.peek(callerOf('account:1', 40, 1_000), laterMs)).toMatchObject({
      window: 'minute',
      remaining: 9,
    });
  });

  test('of an unknown subject is part of the full limit, and at least 1', () => {
    const shares = new Shares(4);
    expect(take(shares, callerOf('account:2', 100, 1_000), clock.now()).remaining).toBe(24);
    const small = callerOf('account:3', 3, 1_000);
    expect(take(shares, small, clock.now())).not.toHaveProperty('refusedBy');
    expect(take(shares, small, clock.now())).toHaveProperty('refusedBy', 'minute');
  });

  test('follows a change of plan', () => {
    const shares = reported(4, caller, usage(40, 40));
    for (let i = 0; i < 15; i++) take(shares, caller, clock.now());
    const upgraded = callerOf('account:1', 300, 10_000);
    expect(take(shares, upgraded, clock.now())).toMatchObject({ limit: 300, remaining: 49 });
  });
});

describe('settling', () => {
  const caller = callerOf('account:1', 100, 1_000);

  test('covers each admitted request once, and the share stays used until Redis decides alone', () => {
    const shares = reported(4, caller, usage(40, 40));
    const unsettled = () => [...shares.unsettled()].map(([, { admitted }]) => admitted);
    for (let i = 0; i < 5; i++) shares.take(caller, clock.now());
    expect(unsettled()).toMatchObject([{ minuteUsed: 5, dayUsed: 5 }]);
    for (const [name, settlement] of shares.unsettled()) {
      shares.take(caller, clock.now());
      shares.settle(name, settlement, report(usage(45, 45), clock.now()), LINK);
    }
    const { windows } = shares.take(caller, clock.now());
    shares.settleOne(caller.subject, windows);
    expect(unsettled()).toMatchObject([{ minuteUsed: 1, dayUsed: 1 }]);
    expect(shares.peek(caller, clock.now()).remaining).toBe(15 - 7);
    shares.endAway();
    expect(unsettled()).toEqual([]);
  });

  test('leaves out requests of a minute that is over', () => {
    const shares = reported(4, caller, usage(40, 40));
    const { windows } = shares.take(caller, clock.now());
    const laterMs = clock.now() + 60_000;
    shares.take(caller, laterMs);
    shares.settleOne(caller.subject, windows);
    const [entry] = shares.unsettled();
    expect(entry?.[1].admitted).toMatchObject({ minuteUsed: 1, dayUsed: 1 });
  });

  const unsettledInMinute = (shares: Shares) => [...shares.unsettled()][0]?.[1].admitted.minuteUsed;

  test('covers a request taken after the clock stepped back by 25 s, which keeps the minute', () => {
    const shares = reported(4, caller, usage(40, 40));
    shares.take(caller, clock.now());
    const { windows } = shares.take(caller, clock.now() - 25_000);
    shares.settleOne(caller.subject, windows);
    expect(unsettledInMinute(shares)).toBe(1);
  });

  test('that ends in the next minute leaves the requests of that minute unsettled', () => {
    const shares = reported(4, caller, usage(40, 40));
    shares.take(caller, clock.now());
    for (const [name, settlement] of shares.unsettled()) {
      const laterMs = clock.now() + 60_000;
      shares.take(caller, laterMs);
      shares.settle(name, settlement, report(usage(41, 41), laterMs), LINK);
    }
    const [entry] = shares.unsettled();
    expect(entry?.[1].admitted).toMatchObject({ minuteUsed: 1, dayUsed: 1 });
  });
});

describe('memory use', () => {
  test('settled accounts are dropped when the next day ends, unsettled ones are kept', () => {
    const shares = new Shares(1);
    const settled = callerOf('account:1', 100, 1_000);
    shares.report(settled.subject, report(usage(40, 40), clock.now()), LINK);
    shares.take(callerOf('account:2', 100, 1_000), clock.now());
    const later = { ...usage(1, 1), dayStartSeconds: DAY_START + 2 * 86_400 };
    shares.report('account:3', report(later, clock.now() + 2 * 86_400_000), LINK);
    expect(Array.from(shares.unsettled(), ([name]) => name)).toEqual(['account:2']);
    expect(shares.peek(settled, clock.now()).remaining).toBe(100);
  });

  test('at most 50,000 addresses are kept', () => {
    const shares = new Shares(1);
    for (let i = 0; i < 120_000; i++) shares.take(callerOf(`address:${i}`, 60, 99), clock.now());
    const kept = [...shares.unsettled()].length;
    expect(kept).toBeGreaterThan(25_000);
    expect(kept).toBeLessThanOrEqual(50_000);
  });
});
