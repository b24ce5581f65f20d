import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { INT64_MAX } from '../../src/domain/int64.ts';
import { parseRecord, recordToJson, type StoreRecord } from '../../src/domain/operator/transfer.ts';
import { anHour } from '../support/hour-of-use.ts';
import { backend, openStore, TEST_ORIGIN } from '../support/open-store.ts';
import { postgresForSuites } from '../support/postgres.ts';
import { rejection } from '../support/rejection.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let postgres: Awaited<ReturnType<typeof postgresForSuites>>;
beforeAll(async () => {
  postgres = await postgresForSuites();
});
afterAll(() => postgres[Symbol.asyncDispose]());

/** Without the entries that say that the store was moved. */
async function linesOf(url: string): Promise<string[]> {
  await using exported = await backend(url).openExport();
  const lines = (await Array.fromAsync(exported.records)).map(recordToJson);
  return lines.filter((line) => !line.includes('"store.import"'));
}

async function move(from: string, to: string): Promise<void> {
  await using exported = await backend(from).openExport();
  await backend(to).importAll(exported.records, exported.lastPetId, TEST_ORIGIN);
}

test('a suspended account stays suspended when it moves to PostgreSQL and back', async () => {
  using folder = temporaryFolder();
  const file = `sqlite:${join(folder.path, 'a.db')}`;
  {
    await using store = await openStore(file);
    const free = { plan: 'free', limits: { perMinute: 60, perDay: 1_000 }, nowMs: 1 } as const;
    await store.accounts.createAccount({ name: 'late payer', ...free });
    await store.accounts.suspendAccount('late payer', {
      reason: 'unpaid',
      nowMs: 1_700_000_000_123,
    });
  }
  const original = await linesOf(file);
  expect(original[0]).toContain('"suspendedAtMs":1700000000123,"suspensionReason":"unpaid"');
  const database = await postgres.newDatabase();
  await move(file, database);
  expect(await linesOf(database)).toEqual(original);
  const back = `sqlite:${join(folder.path, 'b.db')}`;
  await move(database, back);
  expect(await linesOf(back)).toEqual(original);
});

test('the usage history moves to PostgreSQL and back', async () => {
  using folder = temporaryFolder();
  const file = `sqlite:${join(folder.path, 'a.db')}`;
  {
    await using store = await openStore(file);
    const old = anHour({ startsAtMs: Date.UTC(2026, 0, 1, 5), served: 3, busiestMinute: 3 });
    const hours = [old, anHour({ served: 2, keyId: 2, busiestMinute: 2 })];
    await store.history.add(hours);
    await store.history.compact(Date.UTC(2026, 10, 15));
  }
  const original = await linesOf(file);
  expect(original.map((line) => Object.keys(JSON.parse(line))[0])).toEqual([
    ...['usagePeriod', 'usagePeriod', 'keyUse', 'keyUse'],
  ]);
  const lines = original.map((line) => recordToJson(parseRecord(line)));
  expect(lines).toEqual(original);
  const database = await postgres.newDatabase();
  await move(file, database);
  expect(await linesOf(database)).toEqual(original);
  const back = `sqlite:${join(folder.path, 'b.db')}`;
  await move(database, back);
  expect(await linesOf(back)).toEqual(original);
});

test('an import with the last id of an int64 is refused on either database', async () => {
  using folder = temporaryFolder();
  const pet = { name: 'Rex', categoryId: 1n, status: 'sold' } as const;
  async function* lastPet(): AsyncIterable<StoreRecord> {
    yield { kind: 'pet', value: { id: INT64_MAX, ...pet } };
  }
  async function* nothing(): AsyncIterable<StoreRecord> {}
  for (const url of [`sqlite:${join(folder.path, 'c.db')}`, await postgres.newDatabase()]) {
    const { importAll } = backend(url);
    const refused = [
      () => importAll(lastPet(), 0n, TEST_ORIGIN),
      () => importAll(nothing(), INT64_MAX, TEST_ORIGIN),
    ];
    for (const importOne of refused) {
      expect(await rejection(importOne())).toHaveProperty(
        'message',
        `The import uses ids of pets up to ${INT64_MAX}, which leaves too few for new pets: ` +
          `the greatest id is ${INT64_MAX}. Nothing was changed.`,
      );
    }
    await using store = await openStore(url);
    expect((await store.pets.createPet(pet)).pet.id).toBe(1n);
  }
});
