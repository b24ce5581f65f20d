import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { previewAccount } from '../../../src/domain/operator/plan-preview.ts';
import type { Limits } from '../../../src/domain/plan.ts';
import { takeRequest, type Usage, usageAt } from '../../../src/domain/rate-limit.ts';
import { anHour } from '../../support/hour-of-use.ts';

const MIDNIGHT_MS = Date.UTC(2026, 10, 15);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const UNLIMITED: Limits = { perMinute: 1_000_000, perDay: 1_000_000 };

/** The decisions of a limiter about requests of one account at these times. */
function decide(requests: readonly number[], limits: Limits) {
  let usage: Usage | undefined;
  return requests
    .toSorted((a, b) => a - b)
    .map((atMs) => {
      usage = usageAt(usage, 'account:1', atMs);
      const { refusedBy, ...decision } = takeRequest(usage, limits, atMs);
      const busiestMinute = 'minuteUsed' in decision ? decision.minuteUsed : 0;
      const startsAtMs = atMs - (atMs % HOUR_MS);
      return { startsAtMs, refusedBy, busiestMinute };
    });
}

function refusalsOf(requests: readonly number[], limits: Limits): number {
  return decide(requests, limits).filter(({ refusedBy }) => refusedBy !== undefined).length;
}

/** Compares these limits with the history of requests under the limits of then. */
function preview(requests: readonly number[], limits: Limits, limitsOfThen = UNLIMITED) {
  const history = {
    async *read() {
      for (const { refusedBy, ...period } of decide(requests, limitsOfThen)) {
        yield anHour({
          ...period,
          served: refusedBy === undefined ? 1 : 0,
          refusedByMinute: refusedBy === 'minute' ? 1 : 0,
          refusedByDay: refusedBy === 'day' ? 1 : 0,
        });
      }
    },
  };
  return previewAccount(history, 1, limits, 0);
}

test('a preview never says more than the limiter would have refused', async () => {
  // Around midnight and around the change of an hour, where windows overlap.
  const request = fc
    .tuple(fc.constantFrom(0, 23), fc.integer({ min: -70_000, max: 70_000 }))
    .map(([hour, ms]) => MIDNIGHT_MS + HOUR_MS + hour * HOUR_MS + ms);
  const limit = (max: number) => fc.integer({ min: 1, max });
  const limits = fc.record({ perMinute: limit(8), perDay: limit(30) });
  const cases = fc.asyncProperty(
    fc.array(request, { maxLength: 100, size: 'max' }),
    limits,
    fc.oneof(limits, fc.constant(UNLIMITED)),
    async (requests, now, then) => {
      const found = await preview(requests, now, then);
      expect(found.refused).toBeLessThanOrEqual(refusalsOf(requests, now));
      expect(found.requests).toBe(requests.length);
      expect(found.refusedInFact).toBe(refusalsOf(requests, then));
    },
  );
  await fc.assert(cases);
});

test('the worst window is the one that would have refused the most', async () => {
  const at = (ms: number, count: number) => Array<number>(count).fill(MIDNIGHT_MS + ms);
  const requests = [...at(10 * HOUR_MS, 4), ...at(11 * HOUR_MS, 7), ...at(DAY_MS + HOUR_MS, 8)];

  expect(await preview(requests, { perMinute: 2, perDay: 1_000 })).toMatchObject({
    requests: 19,
    refused: 6,
    refusedInFact: 0,
    worst: { window: 'minute', day: '2026-11-16', requests: 8, refused: 6 },
  });
  expect(await preview(requests, { perMinute: 100, perDay: 5 })).toMatchObject({
    refused: 6 + 3,
    worst: { window: 'day', day: '2026-11-15', requests: 11, refused: 6 },
  });
  expect(await preview(requests, { perMinute: 100, perDay: 100 })).toMatchObject({
    refused: 0,
    worst: null,
  });
});
