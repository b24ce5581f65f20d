import { expect, test } from 'bun:test';
import {
  callersOf,
  type PeriodOfUse,
  reportUsage,
} from '../../../src/domain/operator/usage-history.ts';

const NOW_MS = Date.parse('2027-01-31T12:30:00Z');
const HOUR_MS = 3_600_000;

interface Use extends Partial<PeriodOfUse> {
  readonly at: string;
}

/** An hour of use whose only request, unless stated otherwise, was at the given time. */
function hourOfUse({ at, ...use }: Use): PeriodOfUse {
  const atMs = Date.parse(at);
  return {
    accountId: 1,
    keyId: 1,
    operation: 'getPet',
    busiestMinute: 1,
    served: 1,
    refusedByMinute: 0,
    refusedByDay: 0,
    refusedByBan: 0,
    clientErrors: 0,
    serverErrors: 0,
    startsAtMs: Math.floor(atMs / HOUR_MS) * HOUR_MS,
    lastAtMs: atMs,
    ...use,
  };
}

async function* periods(...uses: Use[]): AsyncIterable<PeriodOfUse> {
  yield* uses.map(hourOfUse);
}

test('the callers of an operation are counted for the last day, week and month', async () => {
  const uses = [
    { at: '2027-01-31T12:29:00Z', served: 1 },
    { at: '2027-01-30T12:31:00Z', served: 5, refusedByDay: 2, clientErrors: 3 },
    { at: '2027-01-30T12:29:00Z', served: 100 },
    { at: '2027-01-24T12:31:00Z', served: 1_000 },
    { at: '2027-01-24T12:29:00Z', served: 10_000 },
    { at: '2027-01-01T12:31:00Z', served: 100_000 },
    { at: '2027-01-01T12:29:00Z', served: 1_000_000 },
  ];
  expect(await callersOf(periods(...uses), NOW_MS)).toEqual([
    {
      accountId: 1,
      keyId: 1,
      lastDay: 11,
      lastWeek: 1_111,
      lastMonth: 111_111,
      firstAtMs: Date.parse('2027-01-01T12:00:00Z'),
      lastAtMs: Date.parse('2027-01-31T12:29:00Z'),
    },
  ]);
});

test.each([
  ['day', ['2027-01-29', '2027-01-30', '2027-01-31'], '2027-01-29T01:00Z'],
  ['hour', ['2027-01-31T10:00Z', '2027-01-31T11:00Z', '2027-01-31T12:00Z'], '2027-01-31T10:00Z'],
] as const)('usage by %s has no gaps up to now', async (by, starts, first) => {
  const history = periods({ at: first }, { at: '2027-01-31T12:29:00Z', served: 2 });
  const groups = await reportUsage(history, by, NOW_MS);
  expect(groups.map(({ group }) => group)).toEqual(starts.map((start) => Date.parse(start)));
  expect(groups.map(({ requests }) => requests)).toEqual([1, 0, 2]);
});
