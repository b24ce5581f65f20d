import { describe, expect, test } from 'bun:test';
import {
  banSecondsLeft,
  isPenaltyOver,
  type Penalty,
  penaltyAfterRefusal,
  penaltyAfterUnban,
} from '../../src/domain/ban.ts';
import type { Refusal } from '../../src/domain/rate-limit.ts';

const START_MS = Date.UTC(2026, 10, 15, 12);
const DAY_SECONDS = 86_400;

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

/** The penalty after refused requests at these seconds, all of one long window. */
function refusedAt(seconds: readonly number[], penalty?: Penalty): Penalty | undefined {
  let next = penalty;
  for (const second of seconds) {
    next = penaltyAfterRefusal(
      next,
      refusal(START_MS / 1000 + 10 * DAY_SECONDS),
      START_MS + second * 1000,
    );
  }
  return next;
}

function banSecondsAt(second: number, penalty: Penalty | undefined): number {
  return banSecondsLeft(penalty, START_MS + second * 1000);
}

/** Refused at `first`, then 30 strikes two seconds later. */
function banAt(first: number, penalty?: Penalty): Penalty | undefined {
  return refusedAt([first, ...Array(30).fill(first + 2)], penalty);
}

describe('a strike', () => {
  test('is none in the second of the first refusal or the one after it, however many come', () => {
    expect(refusedAt([0, ...Array(500).fill(0.9), ...Array(500).fill(1.999)])?.strikes).toEqual([]);
  });

  test('is a refused request from the second after that on', () => {
    expect(refusedAt([0, 2, 2.5])?.strikes).toHaveLength(2);
  });

  test('counts from the first refusal of each window anew', () => {
    let penalty = penaltyAfterRefusal(undefined, refusal(100), 50_000);
    penalty = penaltyAfterRefusal(penalty, refusal(100), 55_000);
    expect(penalty.strikes).toHaveLength(1);
    penalty = penaltyAfterRefusal(penalty, refusal(160), 105_000);
    expect(penalty.strikes).toHaveLength(1);
    expect(penalty.firstRefusedAtSeconds).toBe(105);
  });
});

describe('a ban', () => {
  test('comes with the 30th strike within 60 seconds and lasts 5 minutes', () => {
    const strikes = Array.from({ length: 30 }, (_, index) => 2 + index * 2);
    expect(banSecondsAt(60, refusedAt([0, ...strikes.slice(0, 29)]))).toBe(0);
    expect(banSecondsAt(60, refusedAt([0, ...strikes]))).toBe(300);
  });

  test('does not come when 30 strikes take longer than 60 seconds', () => {
    const strikes = Array.from({ length: 100 }, (_, index) => 2 + index * 2.1);
    expect(banSecondsAt(212, refusedAt([0, ...strikes]))).toBe(0);
  });

  test('is over after the time it was given, to the second', () => {
    const penalty = banAt(0);
    expect(banSecondsAt(2, penalty)).toBe(300);
    expect(banSecondsAt(2.1, penalty)).toBe(300);
    expect(banSecondsAt(301, penalty)).toBe(1);
    expect(banSecondsAt(302, penalty)).toBe(0);
  });

  test('doubles with each one, up to an hour', () => {
    let penalty: Penalty | undefined;
    const lengths: number[] = [];
    for (let i = 0, second = 0; i < 7; i++, second += 4_000) {
      penalty = banAt(second, penalty && { ...penalty, refusedUntilSeconds: 0 });
      lengths.push(banSecondsAt(second + 2, penalty));
    }
    expect(lengths).toEqual([300, 600, 1_200, 2_400, 3_600, 3_600, 3_600]);
  });

  test('is forgotten after a clean day', () => {
    const first = banAt(0) as Penalty;
    const again = (second: number) => {
      const second2 = banAt(second, { ...first, refusedUntilSeconds: 0 });
      return banSecondsAt(second + 2, second2);
    };
    const end = 302;
    expect(again(end + DAY_SECONDS - 3)).toBe(600);
    expect(again(end + DAY_SECONDS)).toBe(300);
  });

  test('is lifted by an operator, with all that led to it', () => {
    const penalty = banAt(0) as Penalty;
    expect(penaltyAfterUnban(penalty, 0)).toBe(penalty);
    expect(penaltyAfterUnban(penalty, START_MS + 1_999)).toBe(penalty);
    expect(penaltyAfterUnban(penalty, START_MS + 2_000)).toBeUndefined();
    expect(penaltyAfterUnban(undefined, 0)).toBeUndefined();
  });
});

test('a penalty is kept for as long as it could matter', () => {
  const refused = penaltyAfterRefusal(undefined, refusal(100), 50_000);
  expect(isPenaltyOver(refused, 99_000)).toBe(false);
  expect(isPenaltyOver({ ...refused, bannedUntilSeconds: 0 }, 100_000 + DAY_SECONDS * 1000)).toBe(
    true,
  );
  const banned = banAt(0) as Penalty;
  const endMs = banned.bannedUntilSeconds * 1000;
  expect(isPenaltyOver({ ...banned, refusedUntilSeconds: 0 }, endMs + DAY_SECONDS * 1000 - 1)).toBe(
    false,
  );
  expect(isPenaltyOver({ ...banned, refusedUntilSeconds: 0 }, endMs + DAY_SECONDS * 1000)).toBe(
    true,
  );
});
