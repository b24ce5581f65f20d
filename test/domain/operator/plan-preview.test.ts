import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type LimitsPreview, previewAccount } from '../../../src/domain/operator/plan-preview.ts';
import type { HistoryFilter } from '../../../src/domain/operator/usage-history.ts';
import { decide, historyOf, type SentRequest } from '../../support/sent-requests.ts';

const MIDNIGHT_MS = Date.UTC(2026, 10, 15);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

async function preview(
  requests: readonly SentRequest[],
  perMinute: number,
  perDay: number,
  limitsOfThen?: { perMinute: number; perDay: number },
): Promise<LimitsPreview[]> {
  const history = {
    async *read({ accountIds = [] }: HistoryFilter) {
      for await (const period of historyOf(requests, limitsOfThen)) {
        if (accountIds.includes(period.accountId)) yield period;
      }
    },
  };
  const limits = { perMinute, perDay };
  return Promise.all([1, 2].map((id) => previewAccount(history, id, limits, 0)));
}

test('a preview never says more than the limiter would have refused', async () => {
  const request = fc.record({
    accountId: fc.integer({ min: 1, max: 2 }),
    keyId: fc.integer({ min: 1, max: 2 }),
    // Around midnight and around the change of an hour, where windows overlap.
    atMs: fc
      .tuple(fc.constantFrom(0, 23), fc.integer({ min: -70_000, max: 70_000 }))
      .map(([hour, ms]) => MIDNIGHT_MS + HOUR_MS + hour * HOUR_MS + ms),
  });
  const limit = (max: number) => fc.integer({ min: 1, max });
  const limits = fc.record({ perMinute: limit(8), perDay: limit(30) });
  const cases = fc.asyncProperty(
    fc.array(request, { maxLength: 100, size: 'max' }),
    limits,
    limits,
    async (requests, now, then) => {
      const { perMinute, perDay } = now;
      const previews = await preview(requests, perMinute, perDay, then);
      const sum = (of: (each: LimitsPreview) => number) =>
        previews.reduce((total, each) => total + of(each), 0);
      const refused = decide(requests, now).filter(({ decision }) => decision.refusedBy).length;
      expect(sum((each) => each.refused)).toBeLessThanOrEqual(refused);
      expect(sum((each) => each.requests)).toBe(requests.length);
      const inFact = decide(requests, then).filter(({ decision }) => decision.refusedBy).length;
      expect(sum((each) => each.refusedInFact)).toBe(inFact);
    },
  );
  await fc.assert(cases);
});

test('the worst window is the one that would have refused the most', async () => {
  const at = (ms: number, count: number) =>
    Array.from({ length: count }, () => ({ accountId: 1, keyId: 1, atMs: MIDNIGHT_MS + ms }));
  const requests = [...at(10 * HOUR_MS, 4), ...at(11 * HOUR_MS, 7), ...at(DAY_MS + HOUR_MS, 8)];

  const [byMinute] = await preview(requests, 2, 1_000);
  expect(byMinute).toMatchObject({ requests: 19, refused: 6, refusedInFact: 0 });
  expect(byMinute?.worst).toEqual({
    window: 'minute',
    day: '2026-11-16',
    requests: 8,
    refused: 6,
  });
  const [byDay] = await preview(requests, 100, 5);
  expect(byDay?.refused).toBe(6 + 3);
  expect(byDay?.worst).toEqual({ window: 'day', day: '2026-11-15', requests: 11, refused: 6 });
  const [never] = await preview(requests, 100, 100);
  expect(never).toMatchObject({ refused: 0, worst: null });
});
