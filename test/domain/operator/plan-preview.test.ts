import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { UsagePeriod } from '#domain/operator/history.ts';
import { previewAccount } from '#domain/operator/plan-preview.ts';
import type { Limits } from '#domain/plan.ts';
import { newMemoryLimiter } from '../../limiters/limiters.ts';
import { anHour } from '../../support/values.ts';

const MIDNIGHT_MS = Date.UTC(2026, 10, 15);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = MIDNIGHT_MS + 3 * DAY_MS;
const UNLIMITED: Limits = { perMinute: 1_000_000, perDay: 1_000_000 };
const REFUSED = { minute: 'refusedByMinute', day: 'refusedByDay', ban: 'refusedByBan' } as const;

/** The history of requests at these times. Only a caller with a key can be banned. */
async function play(requests: readonly number[], limits: Limits, key: { id?: number } = {}) {
  await using limiter = newMemoryLimiter(() => NOW_MS);
  return requests
    .toSorted((a, b) => a - b)
    .map((atMs) => {
      const decision = limiter.take({ subject: 'account:1', ...limits, ...key }, atMs);
      const outcome =
        decision.refusedBy === undefined
          ? { served: 1, busiestMinute: decision.minuteUsed }
          : { [REFUSED[decision.refusedBy]]: 1 };
      return anHour({ startsAtMs: atMs - (atMs % HOUR_MS), ...outcome });
    });
}

function countRefused(history: readonly UsagePeriod[]) {
  return history.filter(({ served }) => served === 0).length;
}

function preview(history: readonly UsagePeriod[], limits: Limits) {
  async function* read() {
    yield* history;
  }
  return previewAccount({ read }, 1, limits, NOW_MS);
}

test('a preview never says more than the limiter would have refused, nor less than it did', async () => {
  // The times are around midnight and around the change of an hour, where windows overlap. Some bursts lead to a ban.
  const burst = fc
    .tuple(
      fc.constantFrom(0, 23),
      fc.integer({ min: -70_000, max: 70_000 }),
      fc.constantFrom(1, 4, 240),
    )
    .map(([hour, ms, count]) => Array<number>(count).fill(MIDNIGHT_MS + (1 + hour) * HOUR_MS + ms));
  const limit = (max: number) => fc.integer({ min: 1, max });
  const limits = fc.record({ perMinute: limit(8), perDay: limit(30) });
  const cases = fc.asyncProperty(
    fc.array(burst, { maxLength: 30, size: 'max' }).map((bursts) => bursts.flat()),
    limits,
    fc.oneof(limits, fc.constant(UNLIMITED)),
    async (requests, now, then) => {
      const history = await play(requests, then);
      const found = await preview(history, now);
      expect(found.refused).toBeLessThanOrEqual(countRefused(await play(requests, now)));
      expect(found.requests).toBe(requests.length);
      expect(found.refusedInFact).toBe(countRefused(history));
      for (const played of [history, await play(requests, then, { id: 1 })]) {
        expect((await preview(played, then)).refused).toBe(countRefused(played));
      }
      // The limits change.
      const changed = { ...UNLIMITED, perMinute: now.perMinute };
      const later = requests.map((atMs) => atMs + 36 * HOUR_MS);
      const again = await play(later, changed, { id: 1 });
      const { refused } = await preview([...history, ...again], changed);
      expect(refused).toBeGreaterThanOrEqual(countRefused(again));
    },
  );
  await fc.assert(cases, { numRuns: 40 });
});

test('the worst window is the one that would have refused the most', async () => {
  const at = (ms: number, count: number) => Array<number>(count).fill(MIDNIGHT_MS + ms);
  const requests = [...at(10 * HOUR_MS, 4), ...at(11 * HOUR_MS, 7), ...at(DAY_MS + HOUR_MS, 8)];
  const history = await play(requests, UNLIMITED);
  expect(await preview(history, { perMinute: 2, perDay: 1_000 })).toMatchObject({
    requests: 19,
    refused: 6,
    refusedInFact: 0,
    worst: { window: 'minute', day: '2026-11-16', requests: 8, refused: 6 },
  });
  expect(await preview(history, { perMinute: 100, perDay: 5 })).toMatchObject({
    refused: 6 + 3,
    worst: { window: 'day', day: '2026-11-15', requests: 11, refused: 6 },
  });
  // Seven were refused, in one or two minutes, each of which would have admitted one more.
  const refused = await play(at(10 * HOUR_MS, 8), { perMinute: 1, perDay: 1_000 });
  expect(await preview(refused, { perMinute: 2, perDay: 1_000 })).toMatchObject({
    refused: 5,
    worst: { window: 'minute', requests: 5, refused: 3 },
  });
  expect(await preview(history, { perMinute: 100, perDay: 100 })).toMatchObject({
    refused: 0,
    worst: null,
  });
});
