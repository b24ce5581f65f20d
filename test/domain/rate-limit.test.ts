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

/** The simplest possible limiter: it keeps the time of every admitted request. */
class Model {
  readonly admittedAtMs: number[] = [];

  constructor(
    readonly subject: string,
    readonly limits: { perMinute: number; perDay: number },
  ) {}

  windows(nowMs: number) {
    const offsetMs = minuteOffsetSeconds(this.subject) * 1000;
    return [
      this.#window('minute', nowMs, 60_000, offsetMs, this.limits.perMinute),
      this.#window('day', nowMs, DAY_MS, 0, this.limits.perDay),
    ] as const;
  }

  #window(window: string, nowMs: number, lengthMs: number, offsetMs: number, limit: number) {
    const number = (atMs: number) => Math.floor((atMs - offsetMs) / lengthMs);
    const used = this.admittedAtMs.filter((atMs) => number(atMs) === number(nowMs)).length;
    const resetAtSeconds = ((number(nowMs) + 1) * lengthMs + offsetMs) / 1000;
    return { window, limit, remaining: limit - used, resetAtSeconds };
  }

  take(nowMs: number): boolean {
    const admitted = this.windows(nowMs).every(({ remaining }) => remaining > 0);
    if (admitted) this.admittedAtMs.push(nowMs);
    return admitted;
  }
}

/** The real functions and their state. */
class Subject {
  usage: Usage | undefined;

  constructor(
    readonly name: string,
    readonly limits: { perMinute: number; perDay: number },
  ) {}

  take(nowMs: number): Decision {
    this.usage = usageAt(this.usage, this.name, nowMs);
    return takeRequest(this.usage, this.limits, nowMs);
  }
}

const limits = fc.record({
  perMinute: fc.integer({ min: 1, max: 8 }),
  perDay: fc.integer({ min: 1, max: 40 }),
});
const subject = fc.integer({ min: 1, max: 1_000 }).map((id) => `account:${id}`);
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

function replay(
  check: (request: { nowMs: number; decision: Decision; model: Model; after: Usage }) => void,
): void {
  fc.assert(
    fc.property(limits, subject, start, pauses, (limits, name, startMs, pauses) => {
      const model = new Model(name, limits);
      const real = new Subject(name, limits);
      let nowMs = startMs;
      for (const pause of pauses) {
        nowMs += pause;
        const decision = real.take(nowMs);
        check({ nowMs, decision, model, after: usageAt(real.usage, name, nowMs) });
      }
    }),
    { numRuns: 300 },
  );
}

describe('the two windows, compared with a simple model', () => {
  test('admit exactly as many requests as the plan allows', () => {
    replay(({ nowMs, decision, model }) => {
      expect(decision.refusedBy === undefined).toBe(model.take(nowMs));
    });
  });

  test('the headers show the window that refused, else the one with fewer remaining', () => {
    replay(({ nowMs, decision, model }) => {
      const admitted = model.take(nowMs);
      const [minute, day] = model.windows(nowMs);
      const { window, limit, remaining, resetAtSeconds } = decision;
      const spent = [minute, day].filter((candidate) => candidate.remaining === 0);
      const refusing = spent.sort((a, b) => b.resetAtSeconds - a.resetAtSeconds)[0];
      const tightest = minute.remaining < day.remaining ? minute : day;
      const shown = admitted ? (spent.length === 2 ? refusing : tightest) : refusing;
      expect({ window, limit, remaining, resetAtSeconds } as object).toEqual(shown as object);
      if (!admitted) expect(decision.refusedBy).toBe(shown?.window as 'minute' | 'day');
    });
  });

  test('a refused request takes nothing from either window', () => {
    replay(({ decision, model, nowMs, after }) => {
      model.take(nowMs);
      if (decision.refusedBy === undefined) return;
      const [minute, day] = model.windows(nowMs);
      expect(after.minuteUsed).toBe(minute.limit - minute.remaining);
      expect(after.dayUsed).toBe(day.limit - day.remaining);
    });
  });

  test('Remaining never rises and Reset never changes within a window', () => {
    let last: (Decision & { nowMs: number; model: Model }) | undefined;
    replay(({ nowMs, decision, model }) => {
      if (
        last?.model === model &&
        last.window === decision.window &&
        nowMs < last.resetAtSeconds * 1000
      ) {
        expect(decision.resetAtSeconds).toBe(last.resetAtSeconds);
        expect(decision.remaining).toBeLessThanOrEqual(last.remaining);
      }
      last = { ...decision, nowMs, model };
    });
  });

  test('the first request at Retry-After is admitted and one a second earlier is not', () => {
    replay(({ nowMs, decision, model, after }) => {
      if (decision.refusedBy === undefined) return;
      const { subject, limits } = model;
      const waitMs = decision.retryAfterSeconds * 1000;
      expect(waitMs).toBeGreaterThanOrEqual(1000);
      const refusedAt = (atMs: number) =>
        takeRequest({ ...usageAt(after, subject, atMs) }, limits, atMs).refusedBy;
      expect(refusedAt(nowMs + waitMs)).toBeUndefined();
      expect(refusedAt(nowMs + waitMs - 1000)).toBeDefined();
    });
  });
});

describe('the windows', () => {
  test('the day is the UTC day', () => {
    const { dayStartSeconds } = usageAt(undefined, 'account:1', MIDNIGHT_MS + 12 * 3_600_000);
    expect(dayStartSeconds * 1000).toBe(MIDNIGHT_MS);
    expect(usageAt(undefined, 'account:1', MIDNIGHT_MS - 1).dayStartSeconds * 1000).toBe(
      MIDNIGHT_MS - DAY_MS,
    );
  });

  test('minutes of different accounts begin at different seconds', () => {
    const offsets = new Set(
      Array.from({ length: 600 }, (_, id) => minuteOffsetSeconds(`account:${id}`)),
    );
    expect(offsets.size).toBe(60);
  });

  test('the window does not change when the clock steps back', () => {
    const at = (nowMs: number, previous?: Usage) => usageAt(previous, 'account:1', nowMs);
    const used = { ...at(MIDNIGHT_MS + 1_000), minuteUsed: 5, dayUsed: 9 };
    for (const backMs of [2_000, 30_000, 59_000]) {
      expect(at(MIDNIGHT_MS + 1_000 - backMs, used)).toEqual(used);
    }
  });

  test('a record of a clock that was years ahead is dropped, and counting begins at 0', () => {
    const future = usageAt(undefined, 'account:1', Date.UTC(2050));
    const wrong = { ...future, minuteUsed: 60, dayUsed: 1_000 };
    expect(usageAt(wrong, 'account:1', MIDNIGHT_MS)).toEqual(
      usageAt(undefined, 'account:1', MIDNIGHT_MS),
    );
  });

  test('when both windows are used up, the headers show the one that resets later', () => {
    const limits = { perMinute: 1, perDay: 1 };
    const shownAt = (nowMs: number) =>
      quotaOf({ ...usageAt(undefined, 'account:1', nowMs), minuteUsed: 1, dayUsed: 1 }, limits)
        .window;
    expect(shownAt(MIDNIGHT_MS + 3_600_000)).toBe('day');
    expect(minuteOffsetSeconds('account:1')).toBeGreaterThan(0);
    expect(shownAt(MIDNIGHT_MS - 1)).toBe('minute');
  });

  test('Remaining is 0, not negative, when a new plan allows less than was used', () => {
    const usage = { ...usageAt(undefined, 'account:1', MIDNIGHT_MS), minuteUsed: 50, dayUsed: 50 };
    expect(quotaOf(usage, { perMinute: 10, perDay: 1_000 }).remaining).toBe(0);
  });

  test('usage is kept until its day and its minute end', () => {
    const usage = usageAt(undefined, 'account:1', MIDNIGHT_MS);
    expect(isUsageOver(usage, MIDNIGHT_MS + DAY_MS - 1)).toBe(false);
    expect(isUsageOver(usage, MIDNIGHT_MS + DAY_MS)).toBe(true);
    const last = usageAt(undefined, 'account:1', MIDNIGHT_MS + DAY_MS - 1);
    expect(isUsageOver(last, MIDNIGHT_MS + DAY_MS)).toBe(false);
  });
});
