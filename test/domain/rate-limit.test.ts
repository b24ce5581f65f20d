import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  areCountsOver,
  type Counts,
  countsAt,
  minuteOffsetSeconds,
  takeRequest,
} from '#domain/rate-limit.ts';

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

  /** The window with fewer requests left, or the later reset if both are full. */
  shownWindow(nowMs: number) {
    const [minute, day] = this.windows(nowMs);
    if (minute.remaining !== day.remaining) return minute.remaining < day.remaining ? minute : day;
    const isMinuteLonger = minute.resetAtSeconds > day.resetAtSeconds;
    return minute.remaining === 0 && isMinuteLonger ? minute : day;
  }

  take(nowMs: number): boolean {
    const admitted = this.windows(nowMs).every(({ remaining }) => remaining > 0);
    if (admitted) this.admittedAtMs.push(nowMs);
    return admitted;
  }
}

const limits = fc.record({
  perMinute: fc.integer({ min: 1, max: 8 }),
  perDay: fc.integer({ min: 1, max: 40 }),
});
const subject = fc.integer({ min: 1, max: 1_000 }).map((id) => `account:${id}`);
const start = fc.integer({ min: MIDNIGHT_MS - 10 * 60_000, max: MIDNIGHT_MS });
/** The times between requests: mostly none, sometimes a pause, and rarely a whole night. */
const pauses = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: 0, max: 3_000 }) },
    { weight: 3, arbitrary: fc.integer({ min: 3_000, max: 90_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 90_000, max: DAY_MS }) },
  ),
  { minLength: 1, maxLength: 150, size: 'max' },
);

test('the minutes of different accounts start at different seconds, which are the same in every version', () => {
  const offsets = [1, 2, 8, 10, 12].map((id) => minuteOffsetSeconds(`account:${id}`));
  expect(offsets).toEqual([5, 8, 58, 43, 41]);
});

test('the two windows decide as a simple model does', () => {
  fc.assert(
    fc.property(limits, subject, start, pauses, (limits, name, startMs, pauses) => {
      const model = new Model(name, limits);
      let counts: Counts | undefined;
      let nowMs = startMs;
      for (const pause of pauses) {
        nowMs += pause;
        counts = countsAt(counts, name, nowMs);
        const decision = takeRequest(counts, limits, nowMs);
        expect(decision.refusedBy === undefined).toBe(model.take(nowMs));
        expect(decision).toMatchObject(model.shownWindow(nowMs));
        if (decision.refusedBy === undefined) continue;
        expect(decision.refusedBy).toBe(decision.window);
        const after = { ...counts };
        const isAdmittedAt = (atMs: number) =>
          takeRequest({ ...countsAt(after, name, atMs) }, limits, atMs).refusedBy === undefined;
        const returnsAtMs = nowMs + decision.retryAfterSeconds * 1000;
        expect([returnsAtMs - 1000, returnsAtMs].map(isAdmittedAt)).toEqual([false, true]);
      }
    }),
    { numRuns: 300 },
  );
});

test('the windows do not change when the clock steps back by up to a minute', () => {
  const at = (nowMs: number, previous?: Counts) => countsAt(previous, 'account:1', nowMs);
  const used = { ...at(MIDNIGHT_MS), minuteUsed: 5, dayUsed: 9 };
  for (const backMs of [1_000, 60_000]) expect(at(MIDNIGHT_MS - backMs, used)).toEqual(used);
  expect(at(MIDNIGHT_MS - 61_000, used)).toHaveProperty('dayUsed', 0);
  // These counts were made while the clock was years ahead.
  const wrong = { ...at(Date.UTC(2050)), minuteUsed: 60, dayUsed: 1_000 };
  expect(at(MIDNIGHT_MS, wrong)).toEqual(at(MIDNIGHT_MS));
});

test('counts are kept until their day and their minute end', () => {
  const counts = countsAt(undefined, 'account:1', MIDNIGHT_MS);
  expect(areCountsOver(counts, MIDNIGHT_MS + DAY_MS - 1)).toBe(false);
  expect(areCountsOver(counts, MIDNIGHT_MS + DAY_MS)).toBe(true);
  const last = countsAt(undefined, 'account:1', MIDNIGHT_MS + DAY_MS - 1);
  expect(areCountsOver(last, MIDNIGHT_MS + DAY_MS)).toBe(false);
});
