import { expect, test } from 'bun:test';
import { callersOf, reportHistory, type UsagePeriod } from '#domain/operator/history.ts';
import { anHour } from '../../support/values.ts';

const NOW_MS = Date.parse('2027-01-31T12:30:00Z');
const HOUR_MS = 3_600_000;

/** An hour of use whose last request was at this time. */
function hourOfUse(at: string, counts: Partial<UsagePeriod>): UsagePeriod {
  const lastAtMs = Date.parse(at);
  return anHour({ startsAtMs: lastAtMs - (lastAtMs % HOUR_MS), lastAtMs, ...counts });
}

async function* inOrder(...periods: UsagePeriod[]): AsyncIterable<UsagePeriod> {
  yield* periods;
}

test('the callers of an operation are counted for the last day, week and month', async () => {
  const history = inOrder(
    hourOfUse('2027-01-30T12:31:00Z', { served: 6, refusedByDay: 2, clientErrors: 3 }),
    hourOfUse('2027-01-30T12:30:00Z', { served: 100 }),
    hourOfUse('2027-01-24T12:31:00Z', { served: 1_000 }),
    hourOfUse('2027-01-24T12:29:00Z', { served: 10_000 }),
    hourOfUse('2027-01-01T12:31:00Z', { served: 100_000 }),
    hourOfUse('2027-01-01T12:29:00Z', { served: 1_000_000 }),
  );
  expect(await callersOf(history, NOW_MS)).toEqual([
    {
      accountId: 1,
      keyId: 1,
      lastDay: 11,
      lastWeek: 1_111,
      lastMonth: 111_111,
      firstAtMs: Date.parse('2027-01-01T12:00:00Z'),
      lastAtMs: Date.parse('2027-01-30T12:31:00Z'),
    },
  ]);
});

test.each([
  ['day', ['2027-01-29', '2027-01-30', '2027-01-31'], '2027-01-29T01:00Z'],
  ['hour', ['2027-01-31T10:00Z', '2027-01-31T11:00Z', '2027-01-31T12:00Z'], '2027-01-31T10:00Z'],
] as const)('usage by %s has no gaps up to now', async (by, starts, first) => {
  const history = inOrder(
    hourOfUse(first, { served: 1 }),
    hourOfUse('2027-01-31T12:00:00Z', { served: 2 }),
  );
  const groups = await reportHistory(history, by, Date.parse('2027-01-31T12:00:00Z'));
  expect(groups.map(({ group }) => group)).toEqual(starts.map((start) => Date.parse(start)));
  expect(groups.map(({ requests }) => requests)).toEqual([1, 0, 2]);
});
