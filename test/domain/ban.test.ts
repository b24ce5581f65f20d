import { describe, expect, test } from 'bun:test';
import {
  endOfBan,
  isBanned,
  isPenaltyOver,
  type Penalty,
  penaltyAfterRefusal,
  refusalByBan,
} from '../../src/domain/ban.ts';
import type { Refusal } from '../../src/domain/rate-limit.ts';

const START_MS = Date.UTC(2026, 10, 15, 12);
const START_SECONDS = START_MS / 1000;
const DAY_SECONDS = 86_400;
const IN_FLIGHT = 200;

function refusal(resetAtSeconds: number): Refusal {
  return {
    window: 'minute',
    limit: 60,
    remaining: 0,
    resetAtSeconds,
    refusedBy: 'minute',
    retryAfterSeconds: 1,
  };
}

const LONG_WINDOW = refusal(START_SECONDS + 10 * DAY_SECONDS);

/** The penalty after refusals at these seconds, all in one long window. */
function refusedAt(seconds: readonly number[], penalty?: Penalty): Penalty {
  let next = penalty;
  for (const second of seconds) {
    next = penaltyAfterRefusal(next, LONG_WINDOW, 0, START_MS + second * 1000);
  }
  return next as Penalty;
}

/** The refusals at this second that do not count as strikes. */
function allowance(second = 0): number[] {
  return Array(IN_FLIGHT).fill(second);
}

function banSecondsAt(second: number, penalty: Penalty | undefined): number {
  const nowMs = START_MS + second * 1000;
  if (penalty === undefined || !isBanned(penalty, nowMs)) return 0;
  return refusalByBan(penalty, LONG_WINDOW, nowMs).retryAfterSeconds;
}

/** Refusals at second `first`, then 30 strikes two seconds later, in a new window. */
function banAt(first: number, penalty?: Penalty): Penalty {
  const inNewWindow = penalty && { ...penalty, refusedUntilSeconds: 0 };
  return refusedAt([...allowance(first), ...Array(30).fill(first + 2)], inNewWindow);
}

describe('a refused request', () => {
  test('is not a strike in the second of the first refusal or in the next second', () => {
    const many = [0, ...Array(500).fill(0.9), ...Array(500).fill(1.999)];
    expect(refusedAt(many).strikes).toEqual([]);
  });

  test('is not a strike among the first 200 of a window', () => {
    const late = Array.from({ length: IN_FLIGHT }, (_, index) => index);
    expect(refusedAt(late).strikes).toEqual([]);
    expect(refusedAt([...late, IN_FLIGHT]).strikes).toHaveLength(1);
  });

  test('is compared with the first refusal of its own window', () => {
    let penalty = refusedAt([...allowance(), 5]);
    expect(penalty.strikes).toHaveLength(1);
    const next = refusal(LONG_WINDOW.resetAtSeconds + 60);
    for (let i = 0; i < IN_FLIGHT; i++) {
      penalty = penaltyAfterRefusal(penalty, next, 0, START_MS + 10_000 + i * 1000);
    }
    expect(penalty.strikes).toHaveLength(1);
    expect(penalty.firstRefusedAtSeconds).toBe(START_SECONDS + 10);
  });
});

describe('a ban', () => {
  test('starts with the 30th strike within 60 seconds and lasts 5 minutes', () => {
    const strikes = Array.from({ length: 30 }, (_, index) => 2 + index * 2);
    expect(banSecondsAt(60, refusedAt([...allowance(), ...strikes.slice(0, 29)]))).toBe(0);
    expect(banSecondsAt(60, refusedAt([...allowance(), ...strikes]))).toBe(300);
  });

  test('does not start when 30 strikes take longer than 60 seconds', () => {
    const strikes = Array.from({ length: 100 }, (_, index) => 2 + index * 2.1);
    expect(banSecondsAt(212, refusedAt([...allowance(), ...strikes]))).toBe(0);
  });

  test('is reported as a limit with nothing remaining until it ends', () => {
    expect(refusalByBan(banAt(0), LONG_WINDOW, START_MS + 2_000)).toMatchObject({
      refusedBy: 'ban',
      remaining: 0,
      resetAtSeconds: START_SECONDS + 302,
    });
  });

  test('is twice as long as the one before, up to an hour', () => {
    let penalty: Penalty | undefined;
    const lengths: number[] = [];
    for (let i = 0, second = 0; i < 7; i++, second += 4_000) {
      penalty = banAt(second, penalty);
      lengths.push(banSecondsAt(second + 2, penalty));
    }
    expect(lengths).toEqual([300, 600, 1_200, 2_400, 3_600, 3_600, 3_600]);
  });

  test('starts at 5 minutes again after a day without a ban', () => {
    const first = banAt(0);
    const lengthOfNextAt = (second: number) => banSecondsAt(second + 2, banAt(second, first));
    const end = 302;
    expect(lengthOfNextAt(end + DAY_SECONDS - 3)).toBe(600);
    expect(lengthOfNextAt(end + DAY_SECONDS)).toBe(300);
  });

  test('ends when it was set to end, also after the clock stepped back', () => {
    const penalty = banAt(0);
    const endMs = START_MS + 302_000;
    for (const second of [2, 301.9, -600, -DAY_SECONDS]) {
      expect(endOfBan(penalty, 0, START_MS + second * 1000)).toBe(endMs);
    }
    expect(endOfBan(penalty, 0, endMs)).toBeNull();
  });
});

test('a penalty is kept until its window ends, and for a day after its ban', () => {
  const refused = penaltyAfterRefusal(undefined, refusal(100), 0, 50_000);
  expect(isPenaltyOver(refused, 99_000)).toBe(false);
  expect(isPenaltyOver(refused, 100_000 + DAY_SECONDS * 1000)).toBe(true);
  const banned = { ...banAt(0), refusedUntilSeconds: 0 };
  const endMs = banned.bannedUntilSeconds * 1000;
  expect(isPenaltyOver(banned, endMs + DAY_SECONDS * 1000 - 1)).toBe(false);
  expect(isPenaltyOver(banned, endMs + DAY_SECONDS * 1000)).toBe(true);
});
