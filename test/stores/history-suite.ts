import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { OperatorStore, Store } from '../../src/domain/backend.ts';
import {
  type DaysFilter,
  type HistoryFilter,
  MAX_PERIODS_PER_BATCH,
  OUTCOMES,
  type OutcomeCounts,
  type PeriodOfUse,
} from '../../src/domain/operator/usage-history.ts';
import { anHour } from '../support/hour-of-use.ts';
import { backend, openStore, TEST_ORIGIN } from '../support/open-store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Noon of the first day that is still kept by the hour, seen from `NOW_MS`. */
const KEPT_MS = Date.UTC(2026, 7, 17, 12);
const NOW_MS = Date.UTC(2026, 10, 15);
const TWO_YEARS_AGO_MS = Date.UTC(2024, 10, 15);

const SIX = {
  ...{ served: 1, refusedByMinute: 2, refusedByDay: 3, refusedByBan: 4 },
  ...{ clientErrors: 5, serverErrors: 6 },
};

/** The rules for every store of the usage history. */
export function historySuite(name: string, create: () => Promise<string> | string): void {
  describe(name, () => {
    let store: Store;
    let url: string;
    let reader: OperatorStore;
    let accounts = 0;

    beforeAll(async () => {
      url = await create();
      store = await openStore(url, 4);
      reader = await backend(url).openForCommand(TEST_ORIGIN);
    });
    afterAll(async () => {
      await reader[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    });

    const add = (hours: readonly PeriodOfUse[]) => store.history.add(hours);

    const read = (filter: Partial<HistoryFilter>): Promise<PeriodOfUse[]> =>
      Array.fromAsync(reader.history.read({ sinceMs: 0, ...filter }));

    test('a batch adds to what earlier ones counted, and keeps the busiest minute and the last use', async () => {
      const accountId = ++accounts;
      const hour = anHour({ accountId });
      const { startsAtMs } = hour;
      await add([{ ...hour, ...SIX, busiestMinute: 20, lastAtMs: startsAtMs + 9 }]);
      await add([{ ...hour, ...SIX, served: 100, busiestMinute: 7, lastAtMs: startsAtMs + 8 }]);
      expect(await read({ accountIds: [accountId] })).toEqual([
        {
          ...hour,
          ...{ served: 101, refusedByMinute: 4, refusedByDay: 6, refusedByBan: 8 },
          ...{ clientErrors: 10, serverErrors: 12, busiestMinute: 20, lastAtMs: startsAtMs + 9 },
        },
      ]);
      await add([{ ...hour, busiestMinute: 21, lastAtMs: startsAtMs + 10 }]);
      expect(await read({ accountIds: [accountId] })).toMatchObject([
        { served: 101, busiestMinute: 21, lastAtMs: startsAtMs + 10 },
      ]);
    });

    test('many batches at the same time add up exactly', async () => {
      const ids = [++accounts, ++accounts, ++accounts];
      const added = Array.from({ length: 60 }, (_, index) => {
        const hours = ids.map((accountId) =>
          anHour({ accountId, served: 1, busiestMinute: index }),
        );
        return add(index % 2 === 0 ? hours : hours.toReversed());
      });
      await Promise.all(added);
      expect(await read({ accountIds: ids })).toMatchObject(
        ids.map((accountId) => ({ accountId, served: 60, busiestMinute: 59 })),
      );
    });

    test('a report is in the order of account and time, and begins where it is asked to', async () => {
      const [one, two] = [++accounts, ++accounts];
      const hours = [3, 1, 2].flatMap((hour) =>
        [two, one].map((accountId) => anHour({ accountId, startsAtMs: KEPT_MS + hour * HOUR_MS })),
      );
      const other = anHour({
        accountId: one,
        startsAtMs: KEPT_MS + HOUR_MS,
        operation: 'listPets',
      });
      await add([...hours, other]);
      const since = { accountIds: [two, one, two], sinceMs: KEPT_MS + 2 * HOUR_MS };
      const places = async (filter: Partial<HistoryFilter>) =>
        (await read(filter)).map(({ accountId, startsAtMs }) => [
          accountId,
          (startsAtMs - KEPT_MS) / HOUR_MS,
        ]);
      expect(await places(since)).toEqual([
        ...[2, 3].map((hour) => [one, hour]),
        ...[2, 3].map((hour) => [two, hour]),
      ]);
      expect(await places({ accountIds: [one], operation: 'listPets' })).toEqual([[one, 1]]);
      expect((await places({})).length).toBeGreaterThan(6);
      expect(await places({ accountIds: [] })).toEqual([]);
    });

    test('the sums of days agree with the report, for some accounts and for all', async () => {
      const ids = [++accounts, ++accounts, ++accounts];
      await add(
        ids.flatMap((accountId) =>
          [-1.25, -1, -0.5, 0, 0.5, 0.75, 2].flatMap((days) =>
            ['getPet', 'listPets'].map((operation) =>
              anHour({ accountId, operation, startsAtMs: KEPT_MS + days * DAY_MS, ...SIX }),
            ),
          ),
        ),
      );
      const sumsOf = (uses: readonly (OutcomeCounts & { accountId: number; day: number })[]) => {
        const sums: Record<string, number> = {};
        for (const use of uses.filter(({ accountId }) => ids.includes(accountId))) {
          for (const outcome of OUTCOMES) {
            const name = `${use.accountId} ${use.day} ${outcome}`;
            sums[name] = (sums[name] ?? 0) + use[outcome];
          }
        }
        return sums;
      };
      const check = async (filter: DaysFilter) => {
        const periods = await read(filter);
        const dayOf = (ms: number) => Math.floor(ms / DAY_MS);
        const expected = periods.map((each) => ({ ...each, day: dayOf(each.startsAtMs) }));
        const days = await Array.fromAsync(reader.history.sumDays(filter));
        expect(days.every(({ dayMs }) => dayMs % DAY_MS === 0)).toBe(true);
        const sums = sumsOf(days.map((each) => ({ ...each, day: each.dayMs / DAY_MS })));
        expect(sums).toEqual(sumsOf(expected));
        return Object.keys(sums).length;
      };
      for (const compact of [false, true]) {
        if (compact) await store.history.compact(NOW_MS);
        for (const sinceMs of [0, KEPT_MS + 0.75 * DAY_MS]) {
          const all = await check({ sinceMs });
          expect(await check({ sinceMs, accountIds: ids })).toBe(all);
          expect(all).toBeGreaterThan(0);
        }
      }
      const none = reader.history.sumDays({ sinceMs: 0, accountIds: [] });
      expect(await Array.fromAsync(none)).toEqual([]);
    });

    test('a report has every period once, over many pages of hours and days', async () => {
      // Nine accounts with a day and 110 hours each: the first page of 1,000 ends after the next day.
      const ids = Array.from({ length: 20 }, () => ++accounts);
      const operation = 'createPet';
      const hours = ids.flatMap((accountId) =>
        Array.from({ length: 12 + 109 }, (_, hour) =>
          anHour({
            accountId,
            operation,
            startsAtMs: KEPT_MS - DAY_MS + hour * HOUR_MS,
            served: 1,
          }),
        ),
      );
      for (let start = 0; start < hours.length; start += MAX_PERIODS_PER_BATCH) {
        await add(hours.slice(start, start + MAX_PERIODS_PER_BATCH));
      }
      await store.history.compact(NOW_MS);
      // A late batch adds an hour to a day that was compacted.
      const startsAtMs = KEPT_MS - DAY_MS;
      await add(ids.map((accountId) => anHour({ accountId, operation, startsAtMs })));
      const periods = await read({ operation });
      expect(await read({ accountIds: ids })).toEqual(periods);
      expect(periods).toHaveLength(ids.length * (1 + 110));
      const served = periods.map((period) => period.served);
      expect(served.reduce((sum, count) => sum + count)).toBe(hours.length);
      const dayMs = KEPT_MS - 1.5 * DAY_MS;
      expect(periods.filter((period) => period.startsAtMs === dayMs)).toHaveLength(ids.length);
      const places = periods.map(({ accountId, startsAtMs }) => accountId * 1e15 + startsAtMs);
      expect(places.toSorted((a, b) => a - b)).toEqual(places);
    });

    test('hours of more than 90 days ago become days, exactly, even twice at once', async () => {
      const accountId = ++accounts;
      const lastOldMs = KEPT_MS - 13 * HOUR_MS;
      const old = Array.from({ length: 48 }, (_, index) =>
        anHour({
          ...{ accountId, ...SIX, keyId: 1 + (index % 2), busiestMinute: index },
          startsAtMs: lastOldMs - index * HOUR_MS,
        }),
      );
      const kept = [1, 2].map((hour) =>
        anHour({ accountId, ...SIX, startsAtMs: lastOldMs + hour * HOUR_MS }),
      );
      await add([...old, ...kept]);
      await Promise.all([store.history.compact(NOW_MS), store.history.compact(NOW_MS)]);
      const dayMs = lastOldMs - 23 * HOUR_MS;
      const dayOf = (keyId: number, startsAtMs: number, busiestMinute: number) => ({
        ...Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 12 * SIX[outcome]])),
        ...{ accountId, keyId, operation: 'getPet', startsAtMs, busiestMinute },
        // The last hours of a day are of the first key.
        lastAtMs: startsAtMs + (keyId === 1 ? 23 : 22) * HOUR_MS,
      });
      const expected = [
        dayOf(1, dayMs - DAY_MS, 46),
        dayOf(2, dayMs - DAY_MS, 47),
        dayOf(1, dayMs, 22),
        dayOf(2, dayMs, 23),
        ...kept,
      ] as PeriodOfUse[];
      expect(await read({ accountIds: [accountId] })).toEqual(expected);
      await store.history.compact(NOW_MS);
      expect(await read({ accountIds: [accountId] })).toEqual(expected);
      // A late batch adds to the day.
      const late = { startsAtMs: dayMs + 3 * HOUR_MS, served: 5, busiestMinute: 99 };
      await add([anHour({ accountId, ...late })]);
      await store.history.compact(NOW_MS);
      const [, , day] = await read({ accountIds: [accountId] });
      expect(day).toMatchObject({ served: 17, busiestMinute: 99, startsAtMs: dayMs });
    });

    test('days of more than two years ago are deleted, but the last use of a key is known', async () => {
      const accountId = ++accounts;
      const lastAtMs = TWO_YEARS_AGO_MS - 1;
      const hour = { accountId, served: 1 };
      await add([
        anHour({ ...hour, keyId: 7, startsAtMs: TWO_YEARS_AGO_MS - HOUR_MS, lastAtMs }),
        anHour({ ...hour, keyId: 8, startsAtMs: TWO_YEARS_AGO_MS }),
        anHour({
          ...hour,
          keyId: 8,
          startsAtMs: TWO_YEARS_AGO_MS + HOUR_MS,
          operation: 'listPets',
        }),
      ]);
      await store.history.compact(NOW_MS);
      expect(await read({ accountIds: [accountId] })).toMatchObject([
        { keyId: 8, startsAtMs: TWO_YEARS_AGO_MS },
        { keyId: 8, startsAtMs: TWO_YEARS_AGO_MS, operation: 'listPets' },
      ]);
      const lastUses = new Map([
        [7, lastAtMs],
        [8, TWO_YEARS_AGO_MS + HOUR_MS],
      ]);
      expect(await reader.history.lastUses(accountId)).toEqual(lastUses);
      expect((await reader.history.lastUses()).get(7)).toBe(lastAtMs);
    });

    test('a change of the history changes nothing that is cached but pages', async () => {
      const before = store.revision.changes();
      await add([anHour({ accountId: ++accounts })]);
      await Bun.sleep(10);
      // PostgreSQL reports no changes: what is cached expires by time.
      if (store.revision.writes !== undefined) expect(store.revision.changes()).toBe(before);
    });
  });
}
