import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { accountSubject } from '../../../src/domain/account.ts';
import { type LimitsPreview, previewLimits } from '../../../src/domain/operator/plan-preview.ts';
import {
  minuteOffsetSeconds,
  takeRequest,
  type Usage,
  usageAt,
} from '../../../src/domain/rate-limit.ts';
import { historyOf, type SentRequest as Request } from '../../support/sent-requests.ts';

const MIDNIGHT_MS = Date.UTC(2026, 10, 15);
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

async function preview(requests: readonly Request[], perMinute: number, perDay: number) {
  const previews: LimitsPreview[] = [];
  const limits = { perMinute, perDay };
  for await (const each of previewLimits(historyOf(requests), () => limits)) previews.push(each);
  return previews;
}

/** The refusals of the limiter itself. */
function refusals(requests: readonly Request[], perMinute: number, perDay: number): number {
  const usages = new Map<number, Usage>();
  return requests.filter(({ accountId, atMs }) => {
    const usage = usageAt(
      usages.get(accountId),
      accountSubject({ id: accountId, resets: 0 }),
      atMs,
    );
    usages.set(accountId, usage);
    return takeRequest(usage, { perMinute, perDay }, atMs).refusedBy !== undefined;
  }).length;
}

test('other limits refuse in the preview exactly what the limiter would have refused', async () => {
  const request = fc.record({
    accountId: fc.integer({ min: 1, max: 2 }),
    keyId: fc.integer({ min: 1, max: 2 }),
    // Around midnight and around the change of an hour, where windows overlap.
    atMs: fc
      .tuple(fc.constantFrom(0, 23), fc.integer({ min: -70_000, max: 70_000 }))
      .map(([hour, ms]) => MIDNIGHT_MS + HOUR_MS + hour * HOUR_MS + ms),
  });
  const cases = fc.asyncProperty(
    fc.array(request, { maxLength: 100, size: 'max' }),
    fc.integer({ min: 1, max: 8 }),
    fc.integer({ min: 1, max: 30 }),
    async (unordered, perMinute, perDay) => {
      const requests = unordered.toSorted((a, b) => a.atMs - b.atMs);
      const previews = await preview(requests, perMinute, perDay);
      const sum = (of: (each: LimitsPreview) => number) =>
        previews.reduce((total, each) => total + of(each), 0);
      expect(sum(({ refused }) => refused)).toBe(refusals(requests, perMinute, perDay));
      expect(sum(({ requests }) => requests)).toBe(requests.length);
    },
  );
  await fc.assert(cases);
});

test('the worst window is the one that would have refused the most', async () => {
  const at = (ms: number, count: number) =>
    Array.from({ length: count }, () => ({ accountId: 1, keyId: 1, atMs: MIDNIGHT_MS + ms }));
  const requests = [...at(10 * HOUR_MS, 4), ...at(11 * HOUR_MS, 7), ...at(12 * HOUR_MS, 3)];
  const offsetMs = minuteOffsetSeconds(accountSubject({ id: 1, resets: 0 })) * 1000;
  const minuteMs = MIDNIGHT_MS + 11 * HOUR_MS + offsetMs - (offsetMs > 0 ? MINUTE_MS : 0);

  const [byMinute] = await preview(requests, 2, 1_000);
  expect(byMinute).toMatchObject({ requests: 14, refused: 8, refusedInFact: 0 });
  expect(byMinute?.worst).toEqual({
    ...{ window: 'minute', startsAtMs: minuteMs, requests: 7, refused: 5 },
  });
  const [byDay] = await preview(requests, 100, 5);
  expect(byDay?.worst).toEqual({
    ...{ window: 'day', startsAtMs: MIDNIGHT_MS, requests: 14, refused: 9 },
  });
  const [never] = await preview(requests, 100, 100);
  expect(never).toMatchObject({ refused: 0, worst: undefined });
});
