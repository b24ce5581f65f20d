import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { accountSubject } from '../../../src/domain/account.ts';
import { reportUsage, type UsageGroup } from '../../../src/domain/operator/usage-history.ts';
import { minuteOffsetSeconds } from '../../../src/domain/rate-limit.ts';
import { historyOf, type SentRequest } from '../../support/sent-requests.ts';

const NOW_MS = Date.UTC(2026, 10, 16, 12);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

function sent(count: number, request: Partial<SentRequest> = {}): SentRequest[] {
  return Array.from({ length: count }, () => ({
    accountId: 1,
    keyId: 1,
    atMs: NOW_MS,
    ...request,
  }));
}

async function report(requests: readonly SentRequest[], by: UsageGroup) {
  const groups = await reportUsage(historyOf(requests), by, NOW_MS);
  return groups.map(({ group, requests }) => [group, requests]);
}

describe('usage is added up', () => {
  test('by account, the busiest first', async () => {
    const requests = [...sent(2), ...sent(3, { accountId: 2, keyId: 7 }), ...sent(2, { keyId: 3 })];
    expect(await report(requests, 'account')).toEqual([
      [1, 4],
      [2, 3],
    ]);
  });

  test('by key and by operation', async () => {
    const requests = [...sent(2), ...sent(3, { keyId: 2, operation: 'getPet' })];
    expect(await report(requests, 'key')).toEqual([
      [2, 3],
      [1, 2],
    ]);
    expect(await report(requests, 'operation')).toEqual([
      ['getPet', 3],
      ['listPets', 2],
    ]);
  });

  test('by day and by hour, without gaps up to now', async () => {
    const midnight = Date.UTC(2026, 10, 16);
    const requests = [...sent(1, { atMs: midnight - 2 * DAY_MS + HOUR_MS }), ...sent(2)];
    expect(await report(requests, 'day')).toEqual([
      [midnight - 2 * DAY_MS, 1],
      [midnight - DAY_MS, 0],
      [midnight, 2],
    ]);
    const hours = await report(sent(1, { atMs: NOW_MS - 2 * HOUR_MS + 5 }), 'hour');
    expect(hours).toEqual([
      [NOW_MS - 2 * HOUR_MS, 1],
      [NOW_MS - HOUR_MS, 0],
      [NOW_MS, 0],
    ]);
  });

  test('as nothing at all if there were no requests', async () => {
    expect(await report([], 'day')).toEqual([]);
    expect(await report([], 'account')).toEqual([]);
  });
});

test('the busiest minute is counted over keys, operations and the change of an hour', async () => {
  const requests = fc.array(
    fc.record({
      accountId: fc.integer({ min: 1, max: 2 }),
      keyId: fc.integer({ min: 1, max: 2 }),
      operation: fc.constantFrom('getPet', 'listPets'),
      atMs: fc.integer({ min: NOW_MS - 100_000, max: NOW_MS }),
    }),
    { maxLength: 60, size: 'max' },
  );
  await fc.assert(
    fc.asyncProperty(requests, async (unordered) => {
      const minutes = Object.groupBy(unordered, ({ accountId, atMs }) => {
        const offset = minuteOffsetSeconds(accountSubject({ id: accountId, resets: 0 }));
        return `${accountId} ${Math.floor((Math.floor(atMs / 1000) - offset) / 60)}`;
      });
      const most = Math.max(0, ...Object.values(minutes).map((each) => each?.length ?? 0));
      const groups = await reportUsage(historyOf(unordered), 'account', NOW_MS);
      expect(Math.max(0, ...groups.map(({ busiestMinute }) => busiestMinute))).toBe(most);
    }),
  );
});
