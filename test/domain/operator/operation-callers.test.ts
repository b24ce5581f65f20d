import { describe, expect, test } from 'bun:test';
import { callersOf, type PeriodOfUse } from '../../../src/domain/operator/usage-history.ts';

const NOW_MS = Date.parse('2027-01-31T12:30:00Z');
const HOUR_MS = 3_600_000;

interface Use extends Partial<PeriodOfUse> {
  readonly at: string;
}

/** An hour of use whose only request, if not told otherwise, was at the given time. */
function hourOfUse({ at, ...use }: Use): PeriodOfUse {
  const atMs = Date.parse(at);
  return {
    ...{ accountId: 1, keyId: 1, operation: 'getPet', busiestMinute: 1 },
    ...{ served: 1, refusedByMinute: 0, refusedByDay: 0, refusedByBan: 0 },
    ...{ clientErrors: 0, serverErrors: 0 },
    ...{ startsAtMs: Math.floor(atMs / HOUR_MS) * HOUR_MS, lastAtMs: atMs },
    ...use,
  };
}

async function* periods(...uses: Use[]): AsyncIterable<PeriodOfUse> {
  yield* uses.map(hourOfUse);
}

describe('the callers of an operation', () => {
  test('are counted for the last day, week and month, with their first and last request', async () => {
    const uses = [
      { at: '2027-01-31T12:29:00Z', served: 1 },
      { at: '2027-01-30T12:31:00Z', served: 10 },
      { at: '2027-01-30T12:29:00Z', served: 100 },
      { at: '2027-01-24T12:31:00Z', served: 1_000 },
      { at: '2027-01-24T12:29:00Z', served: 10_000 },
      { at: '2027-01-01T12:31:00Z', served: 100_000 },
      { at: '2027-01-01T12:29:00Z', served: 1_000_000 },
      { at: '2026-11-20T00:00:00Z', served: 1 },
    ];
    expect(await callersOf(periods(...uses), NOW_MS)).toEqual([
      {
        ...{ accountId: 1, keyId: 1, lastDay: 11, lastWeek: 1_111, lastMonth: 111_111 },
        firstAtMs: Date.parse('2026-11-20T00:00:00Z'),
        lastAtMs: Date.parse('2027-01-31T12:29:00Z'),
      },
    ]);
  });

  test('are keys, and those with the most requests in the last month come first', async () => {
    const uses = [
      { at: '2026-12-01T00:00:00Z', accountId: 1, keyId: 1, served: 99 },
      { at: '2026-12-02T00:00:00Z', accountId: 1, keyId: 4 },
      { at: '2027-01-10T00:00:00Z', accountId: 1, keyId: 2, served: 3 },
      { at: '2027-01-13T00:00:00Z', accountId: 2, keyId: 3, served: 5 },
      { at: '2027-01-12T00:00:00Z', accountId: 1, keyId: 2, served: 3 },
    ];
    const callers = await callersOf(periods(...uses), NOW_MS);
    const shown = callers.map(({ accountId, keyId, lastMonth }) => [accountId, keyId, lastMonth]);
    expect(shown).toEqual([
      [1, 2, 6],
      [2, 3, 5],
      [1, 4, 0],
      [1, 1, 0],
    ]);
  });

  test('are counted whatever the outcome of their requests', async () => {
    const outcomes = {
      ...{ served: 1, refusedByMinute: 10, refusedByDay: 100, refusedByBan: 1_000 },
      ...{ clientErrors: 10_000, serverErrors: 100_000 },
    };
    const [caller] = await callersOf(periods({ at: '2027-01-31T12:00:00Z', ...outcomes }), NOW_MS);
    expect(caller?.lastDay).toBe(111_111);
  });

  test('are an empty list without requests', async () => {
    expect(await callersOf(periods(), NOW_MS)).toEqual([]);
  });
});
