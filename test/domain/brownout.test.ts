import { describe, expect, test } from 'bun:test';
import { REMOVALS } from '../../src/contract/operations.ts';
import { brownoutAt, brownoutState, planBrownout } from '../../src/domain/brownout.ts';
import { brownoutFrom } from '../support/brownout.ts';

const NOW_MS = Date.UTC(2027, 0, 15, 12, 0, 0, 700);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const WISH = {
  ...{ operation: 'getPet', nowMs: NOW_MS, startsAtMs: NOW_MS + HOUR_MS },
  ...{ durationMs: 15 * MINUTE_MS, isUrgent: false },
};

function plan(changes: Partial<typeof WISH>) {
  return planBrownout({ ...WISH, ...changes }, REMOVALS);
}

describe('a new brownout', () => {
  test('may begin in an hour, at a whole second', () => {
    expect(plan({})).toEqual({
      operation: 'getPet',
      startsAtMs: Date.UTC(2027, 0, 15, 13),
      endsAtMs: Date.UTC(2027, 0, 15, 13, 15),
      nowMs: NOW_MS,
    });
  });

  test('may begin earlier only if it is urgent, and never in the past', () => {
    const startsAtMs = NOW_MS + HOUR_MS - 1;
    expect(() => plan({ startsAtMs })).toThrow('at least an hour from now');
    expect(plan({ startsAtMs, isUrgent: true })).toHaveProperty('nowMs', NOW_MS);
    expect(plan({ startsAtMs: NOW_MS, isUrgent: true }).startsAtMs).toBe(Date.UTC(2027, 0, 15, 12));
    expect(() => plan({ startsAtMs: NOW_MS - 1, isUrgent: true })).toThrow('in the past');
  });

  test('lasts from a minute to a day', () => {
    for (const durationMs of [MINUTE_MS, 24 * HOUR_MS]) plan({ durationMs });
    for (const durationMs of [MINUTE_MS - 1, 24 * HOUR_MS + 1]) {
      expect(() => plan({ durationMs })).toThrow('at least a minute (1m) and at most a day (24h)');
    }
  });

  test('ends before the removal of the operation', () => {
    const removedAtMs = Date.UTC(2030, 11, 5);
    const last = { startsAtMs: removedAtMs - HOUR_MS, durationMs: HOUR_MS };
    plan(last);
    for (const startsAtMs of [last.startsAtMs + 1_000, removedAtMs, removedAtMs + HOUR_MS]) {
      expect(() => plan({ ...last, startsAtMs })).toThrow(
        'A brownout of getPet must end before its removal on 2030-12-05.',
      );
    }
  });

  test.each(['listPets', 'nothing', ''])('of %p is refused: it is not deprecated', (operation) => {
    expect(() => plan({ operation })).toThrow(
      `Only a deprecated operation can have a brownout: getPet, not "${operation}".`,
    );
  });
});

const BROWNOUT = brownoutFrom(1_000, 2_000);

test('a brownout is active from its start until its end, unless it is cancelled', () => {
  const states = [999, 1_000, 1_999, 2_000].map((nowMs) => brownoutState(BROWNOUT, nowMs));
  expect(states).toEqual(['planned', 'active', 'active', 'over']);
  expect(brownoutState({ ...BROWNOUT, cancelledAtMs: 1_500 }, 1_200)).toBe('cancelled');
});

test('a brownout concerns only its operation', () => {
  expect(brownoutAt([BROWNOUT], 'getPet', 1_500)).toBe(BROWNOUT);
  expect(brownoutAt([BROWNOUT], 'getPet', 2_500)).toBeUndefined();
  expect(brownoutAt([BROWNOUT], 'listPets', 1_500)).toBeUndefined();
});
