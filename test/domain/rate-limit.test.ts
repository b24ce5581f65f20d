import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  type Decision,
  isUsageOver,
  minuteOffsetSeconds,
  quotaOf,
  takeRequest,
  type Usage,
  usageAt,
} from '../../src/domain/rate-limit.ts';

const MIDNIGHT_MS = Date.UTC(2026, 10, 15);
const DAY_MS = 86_400_000;
const SUBJECT = 'account:1';

interface Request {
  readonly nowMs: number;
  readonly decision: Decision;
  readonly usage: Usage;
}

const limits = fc.record({
  perMinute: fc.integer({ min: 1, max: 8 }),
  perDay: fc.integer({ min: 1, max: 40 }),
});
const start = fc.integer({ min: MIDNIGHT_MS - 10 * 60_000, max: MIDNIGHT_MS });
/** Mostly bursts, sometimes a pause, rarely a night. */
const pauses = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: 0, max: 3_000 }) },
    { weight: 3, arbitrary: fc.integer({ min: 3_000, max: 90_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 90_000, max: DAY_MS }) },
  ),
  { minLength: 1, maxLength: 150, size: 'max' },
);

test('the two windows admit exactly as many requests as the plan allows', () => {
  fc.assert(
    fc.property(limits, start, pauses, (limits, startMs, pauses) => {
      const admittedAtMs: number[] = [];
      const offsetMs = minuteOffsetSeconds(SUBJECT) * 1000;
      const minuteOf = (atMs: number) => Math.floor((atMs - offsetMs) / 60_000);
      const dayOf = (atMs: number) => Math.floor(atMs / DAY_MS);
      for (const { nowMs, decision, usage } of requests(limits, startMs, pauses)) {
        const same = (window: (atMs: number) => number) =>
          admittedAtMs.filter((atMs) => window(atMs) === window(nowMs)).length;
        const isAllowed = same(minuteOf) < limits.perMinute && same(dayOf) < limits.perDay;
        expect(decision.refusedBy === undefined).toBe(isAllowed);
        if (isAllowed) admittedAtMs.push(nowMs);
        // A refused request takes nothing from either window.
        expect([usage.minuteUsed, usage.dayUsed]).toEqual([same(minuteOf), same(dayOf)]);
      }
    }),
    { numRuns: 100 },
  );
});

test('the first request at Retry-After is admitted and one a second earlier is not', () => {
  fc.assert(
    fc.property(limits, start, pauses, (limits, startMs, pauses) => {
      for (const { nowMs, decision, usage } of requests(limits, startMs, pauses)) {
        if (decision.refusedBy === undefined) continue;
        const waitMs = decision.retryAfterSeconds * 1000;
        expect(waitMs).toBeGreaterThanOrEqual(1000);
        const refusedAt = (atMs: number) =>
          takeRequest({ ...usageAt(usage, SUBJECT, atMs) }, limits, atMs).refusedBy;
        expect(refusedAt(nowMs + waitMs)).toBeUndefined();
        expect(refusedAt(nowMs + waitMs - 1000)).toBeDefined();
      }
    }),
    { numRuns: 100 },
  );
});

function* requests(
  limits: { perMinute: number; perDay: number },
  startMs: number,
  pauses: readonly number[],
): Generator<Request> {
  let usage: Usage | undefined;
  let nowMs = startMs;
  for (const pause of pauses) {
    nowMs += pause;
    usage = usageAt(usage, SUBJECT, nowMs);
    const decision = takeRequest(usage, limits, nowMs);
    yield { nowMs, decision, usage };
  }
}

describe('the windows', () => {
  test('minutes of different accounts begin at different seconds', () => {
    const offsets = new Set(
      Array.from({ length: 600 }, (_, id) => minuteOffsetSeconds(`account:${id}`)),
    );
    expect(offsets.size).toBe(60);
  });

  test('a record of a clock that was years ahead is dropped, and counting begins at 0', () => {
    const future = usageAt(undefined, SUBJECT, Date.UTC(2050));
    const wrong = { ...future, minuteUsed: 60, dayUsed: 1_000 };
    expect(usageAt(wrong, SUBJECT, MIDNIGHT_MS)).toEqual(usageAt(undefined, SUBJECT, MIDNIGHT_MS));
  });

  test.each([
    ['the one with fewer remaining', 3, 5, 'minute'],
    ['the one with fewer remaining', 7, 5, 'day'],
    ['the day, if both have the same', 5, 5, 'day'],
  ])('the headers show %s: %d a minute and %d a day', (_, perMinute, perDay, window) => {
    const usage = usageAt(undefined, SUBJECT, MIDNIGHT_MS);
    expect(quotaOf(usage, { perMinute, perDay }).window).toBe(window as 'minute' | 'day');
  });

  test('when both windows are used up, the headers show the one that resets later', () => {
    const limits = { perMinute: 1, perDay: 1 };
    const shownAt = (nowMs: number) =>
      quotaOf({ ...usageAt(undefined, SUBJECT, nowMs), minuteUsed: 1, dayUsed: 1 }, limits).window;
    expect(shownAt(MIDNIGHT_MS + 3_600_000)).toBe('day');
    expect(minuteOffsetSeconds(SUBJECT)).toBeGreaterThan(0);
    expect(shownAt(MIDNIGHT_MS - 1)).toBe('minute');
  });

  test('Remaining is 0, not negative, when a new plan allows less than was used', () => {
    const usage = { ...usageAt(undefined, SUBJECT, MIDNIGHT_MS), minuteUsed: 50, dayUsed: 50 };
    expect(quotaOf(usage, { perMinute: 10, perDay: 1_000 }).remaining).toBe(0);
  });

  test('usage is kept until its day and its minute end', () => {
    const usage = usageAt(undefined, SUBJECT, MIDNIGHT_MS);
    expect(isUsageOver(usage, MIDNIGHT_MS + DAY_MS - 1)).toBe(false);
    expect(isUsageOver(usage, MIDNIGHT_MS + DAY_MS)).toBe(true);
    const last = usageAt(undefined, SUBJECT, MIDNIGHT_MS + DAY_MS - 1);
    expect(isUsageOver(last, MIDNIGHT_MS + DAY_MS)).toBe(false);
  });
});
