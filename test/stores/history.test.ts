import { Database } from 'bun:sqlite';
import { beforeAll, describe, expect, test } from 'bun:test';
import type { Store } from '#domain/backend.ts';
import { StoreUnavailableError } from '#domain/error.ts';
import {
  compactHistory,
  type HistoryFilter,
  MAX_PERIODS_PER_BATCH,
  NOT_COUNTED,
  OUTCOMES,
  type UsagePeriod,
} from '#domain/operator/history.ts';
import { createKey, openStore, TEST_ORIGIN } from '../support/store.ts';
import { damageFile, newFile } from '../support/temporary-folder.ts';
import { rejection } from '../support/time.ts';
import { anHour } from '../support/values.ts';
import { addAccount, causeOf, NOW_MS, openStores, REX, readHistory } from './databases.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Noon of the first day that is still kept by the hour, seen from `NOW_MS`. */
const KEPT_MS = Date.UTC(2026, 7, 17, 12);
const TWO_YEARS_AGO_MS = Date.UTC(2024, 10, 15);

const SIX = {
  served: 1,
  refusedByMinute: 2,
  refusedByDay: 3,
  refusedByBan: 4,
  clientErrors: 5,
  serverErrors: 6,
};

function times(factor: number): typeof SIX {
  const sums = OUTCOMES.map((outcome) => [outcome, factor * SIX[outcome]]);
  return Object.fromEntries(sums) as typeof SIX;
}

describe.each(await openStores())('the usage history in %s', (_, database) => {
  const { store, url, create, query, isFile } = database;
  let accounts = 0;

  beforeAll(async () => {
    await query(
      url,
      `WITH RECURSIVE ids (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < 100)
        INSERT INTO accounts (name, plan, created_at) SELECT 'account ' || id, 'free', 0 FROM ids`,
    );
  });

  const add = (hours: readonly UsagePeriod[]) => store.history.add(hours);

  const compact = () => compactHistory(store.history, NOW_MS);

  const read = (filter: Partial<HistoryFilter>) => readHistory(store, filter);

  const newKey = async (accountId: number) =>
    (await createKey(store, { accountName: `account ${accountId}` })).id;

  const usesOf = async (accountId: number) => {
    const keys = await store.accounts.listKeys([accountId]);
    return keys.map((key) => [key.acceptedAtMs, key.refusedAtMs, key.refusal]);
  };

  test('a batch adds to what earlier ones counted, and keeps the busiest minute and the last use', async () => {
    const accountId = ++accounts;
    const hour = anHour({ accountId });
    const { startsAtMs } = hour;
    const before = store.revision.changes();
    await add([
      { ...hour, ...SIX, busiestMinute: 20, lastAtMs: startsAtMs + 9 },
      { ...hour, ...SIX, busiestMinute: 7, lastAtMs: startsAtMs + 8 },
    ]);
    expect(await read({ accountId })).toEqual([
      { ...hour, ...times(2), busiestMinute: 20, lastAtMs: startsAtMs + 9 },
    ]);
    await add([{ ...hour, busiestMinute: 21, lastAtMs: startsAtMs + 10 }]);
    expect(await read({ accountId })).toMatchObject([
      { served: 2, busiestMinute: 21, lastAtMs: startsAtMs + 10 },
    ]);
    // Cached keys and pets stay valid.
    if (isFile) expect(store.revision.changes()).toBe(before);
  });

  test('many batches at the same time add up exactly', async () => {
    const ids = [++accounts, ++accounts, ++accounts];
    const added = Array.from({ length: 60 }, (_, index) => {
      const hours = ids.map((accountId) => anHour({ accountId, served: 1, busiestMinute: index }));
      return add(index % 2 === 0 ? hours : hours.toReversed());
    });
    await Promise.all(added);
    for (const accountId of ids) {
      expect(await read({ accountId })).toMatchObject([{ served: 60, busiestMinute: 59 }]);
    }
  });

  test('the sums of days have all operations and keys, before and after hours become days', async () => {
    const [one, two] = [++accounts, ++accounts];
    const days = [-1.25, -1, 0.25, 2];
    await add(
      [one, two].flatMap((accountId) =>
        days.flatMap((day) =>
          ['getPet', 'listPets'].map((operation) =>
            anHour({ accountId, operation, startsAtMs: KEPT_MS + day * DAY_MS, ...SIX }),
          ),
        ),
      ),
    );
    const dayOf = (accountId: number, day: number, hours: number) => ({
      accountId,
      group: KEPT_MS + (day - 0.5) * DAY_MS,
      ...times(2 * hours),
    });
    const expected = [one, two].flatMap((accountId) => [
      dayOf(accountId, -1, 2),
      dayOf(accountId, 0, 1),
      dayOf(accountId, 2, 1),
    ]);
    const sums = async (sinceMs: number, accountIds?: number[]) => {
      const { history } = store.forOperator(TEST_ORIGIN);
      const found = await Array.fromAsync(history.sum('day', sinceMs, accountIds));
      return found
        .filter(({ accountId }) => accountId === one || accountId === two)
        .toSorted((a, b) => a.accountId - b.accountId || a.group - b.group);
    };
    for (let compacted = 0; compacted < 2; compacted++) {
      expect(await sums(0)).toMatchObject(expected);
      expect(await sums(0, [one])).toMatchObject(expected.slice(0, 3));
      expect(await sums(KEPT_MS + 2 * DAY_MS)).toMatchObject([expected[2], expected[5]]);
      await compact();
    }
    expect(await sums(0, [])).toEqual([]);
  });

  test('a report has every period once and in order, over many pages of hours and days', async () => {
    // Nine accounts with a day and 110 hours each: the first page of 1,000 ends after the next day.
    const ids = Array.from({ length: 20 }, () => ++accounts);
    const operation = 'createPet';
    const startsAtMs = KEPT_MS - DAY_MS;
    const hours = ids.flatMap((accountId) =>
      Array.from({ length: 12 + 109 }, (_, hour) =>
        anHour({ accountId, operation, startsAtMs: startsAtMs + hour * HOUR_MS, served: 1 }),
      ),
    );
    for (let start = 0; start < hours.length; start += MAX_PERIODS_PER_BATCH) {
      await add(hours.slice(start, start + MAX_PERIODS_PER_BATCH));
    }
    await compact();
    // A late batch adds an hour to a day that was compacted.
    await add(ids.map((accountId) => anHour({ accountId, operation, startsAtMs })));
    const periods = await read({ operation });
    const isSince = (ms: number) => (period: UsagePeriod) => period.startsAtMs >= ms;
    const laterMs = KEPT_MS + 9 * HOUR_MS;
    expect(await read({ operation, sinceMs: laterMs })).toEqual(periods.filter(isSince(laterMs)));
    const ofAccount = periods.slice(111, 222);
    const accountId = ids[1];
    expect(await read({ accountId, sinceMs: laterMs })).toEqual(ofAccount.filter(isSince(laterMs)));
    expect(await read({ accountId, operation: 'getPet' })).toEqual([]);
    expect(periods).toHaveLength(ids.length * (1 + 110));
    const served = periods.map((period) => period.served);
    expect(served.reduce((sum, count) => sum + count)).toBe(hours.length);
    const places = periods.map((period) => period.accountId * 1e15 + period.startsAtMs);
    expect(places.toSorted((a, b) => a - b)).toEqual(places);
  });

  test('hours of more than 90 days ago become days, exactly, even twice at once', async () => {
    const accountId = ++accounts;
    const lastOldMs = KEPT_MS - 13 * HOUR_MS;
    const dayMs = lastOldMs - 23 * HOUR_MS;
    const old = Array.from({ length: 24 }, (_, index) =>
      anHour({ accountId, ...SIX, busiestMinute: index, startsAtMs: lastOldMs - index * HOUR_MS }),
    );
    const kept = anHour({ accountId, ...SIX, startsAtMs: lastOldMs + HOUR_MS });
    await add([...old, kept]);
    await Promise.all([compact(), compact()]);
    const day = { startsAtMs: dayMs, busiestMinute: 23, lastAtMs: lastOldMs };
    const expected = [anHour({ accountId, ...times(24), ...day }), kept];
    expect(await read({ accountId })).toEqual(expected);
    const late = { startsAtMs: dayMs + 3 * HOUR_MS, served: 5, busiestMinute: 99 };
    await add([anHour({ accountId, ...late })]);
    await compact();
    const [again] = await read({ accountId });
    expect(again).toMatchObject({ served: 29, busiestMinute: 99, startsAtMs: dayMs });
  });

  test('days of more than two years ago are deleted, but the last use of a key is known', async () => {
    const accountId = ++accounts;
    const lastAtMs = TWO_YEARS_AGO_MS - 1;
    const forgotten = {
      keyId: await newKey(accountId),
      startsAtMs: TWO_YEARS_AGO_MS - 25 * HOUR_MS,
      lastAtMs,
    };
    const kept = { keyId: await newKey(accountId), startsAtMs: TWO_YEARS_AGO_MS };
    await add([forgotten, kept].map((period) => anHour({ accountId, served: 1, ...period })));
    await compact();
    await store.history.compact('days', TWO_YEARS_AGO_MS);
    expect(await read({ accountId })).toMatchObject([kept]);
    expect(await usesOf(accountId)).toEqual([
      [lastAtMs, null, null],
      [TWO_YEARS_AGO_MS, null, null],
    ]);
  });

  test('the last accepted and the last refused request of a key are known, also if it only was refused', async () => {
    const accountId = ++accounts;
    const use = (keyId: number, refusedAtMs: number, refusal: string, operation = 'getPet') =>
      anHour({ accountId, keyId, operation, ...{ acceptedAtMs: 0, refusedAtMs, refusal } });
    const [one, two] = [await newKey(accountId), await newKey(accountId)];
    await newKey(accountId);
    const accepted = anHour({ accountId, keyId: one, operation: 'createPet' });
    await add([use(one, 5, 'later'), accepted, use(one, 4, 'earlier', 'listPets')]);
    await add([use(two, 6, 'revoked', NOT_COUNTED), use(one, 3, 'too late')]);
    expect(await usesOf(accountId)).toEqual([
      [accepted.lastAtMs, 5, 'later'],
      [null, 6, 'revoked'],
      [null, null, null],
    ]);
    expect(new Set((await read({ accountId })).map(({ keyId }) => keyId))).toEqual(new Set([one]));
  });

  test('a backlog is compacted in batches, and one day at a time, whatever the clock says', async () => {
    await using own = await openStore(await create());
    const { history } = own;
    await addAccount(own, 'one');
    const daysLeft = async () =>
      (await readHistory(own)).map(({ startsAtMs }) => new Date(startsAtMs).getUTCDate());
    // Two hours on each of three days, with 200 keys. A batch has 250 periods.
    for (const hour of [28, 29, 52, 53, 76, 77]) {
      const startsAtMs = Date.UTC(2026, 9, 0, hour);
      await history.add(Array.from({ length: 200 }, (_, keyId) => anHour({ keyId, startsAtMs })));
    }
    const aheadMs = NOW_MS + 3_650 * DAY_MS;
    await history.compact('hours', aheadMs);
    expect(await daysLeft()).toHaveLength(1_200 - 250 + 200);
    await history.compact('days', aheadMs);
    expect(await daysLeft()).toHaveLength(1_150 - 250);
    for (const days of [[2, 3], [3], []]) {
      expect(await compactHistory(history, aheadMs)).toBe(true);
      expect(new Set(await daysLeft())).toEqual(new Set(days));
    }
    expect(await compactHistory(history, aheadMs)).toBe(false);
  });
});

test('a batch that finds the file locked is given up, and a creation waits', async () => {
  const { path, url } = newFile();
  await using store = await openStore(url);
  using other = new Database(path);
  other.run('BEGIN IMMEDIATE');
  const adding = store.history.add([anHour({ served: 1 })]);
  const creating = store.pets.createPet(REX);
  expect(await rejection(adding)).toBeInstanceOf(StoreUnavailableError);
  expect(Bun.peek.status(creating)).toBe('pending');
  other.run('ROLLBACK');
  expect((await creating).pet.name).toBe('Rex');
});

test.each<[string, (store: Store) => Promise<unknown>]>([
  ['a batch', ({ history }) => history.add([anHour({})])],
  ['a report', (store) => readHistory(store)],
])('%s that finds damage turns the store off', async (_, use) => {
  const { path, url } = newFile();
  await using store = await openStore(url);
  await addAccount(store, 'one');
  await store.history.add([anHour({})]);
  using other = new Database(path);
  other.run('UPDATE revision SET number = number + 1');
  other.run('PRAGMA wal_checkpoint(TRUNCATE)');
  const pages = "SELECT rootpage FROM sqlite_schema WHERE tbl_name = 'usage_periods'";
  for (const [root] of other.query(pages).values() as [number][]) {
    damageFile(path, (root - 1) * 4_096, root * 4_096);
  }
  expect(await rejection(use(store))).toBeInstanceOf(StoreUnavailableError);
  for (const attempt of [store.isReady, () => store.pets.createPet(REX)]) {
    expect(await causeOf(attempt())).toContain(
      'malformed. Restart the service. If this comes back, restore',
    );
  }
});
