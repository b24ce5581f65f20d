import { describe, expect, test } from 'bun:test';
import { INT64_MAX } from '../../src/domain/int64.ts';
import {
  headerToJson,
  parseHeader,
  parseRecord,
  RECORD_FIELDS,
  recordToJson,
  type StoreRecord,
  VERSION,
} from '../../src/domain/operator/transfer.ts';
import { anHour } from '../support/hour-of-use.ts';
import { backend, openStore, TEST_ORIGIN } from '../support/open-store.ts';
import { newPets } from '../support/pets.ts';
import { FREE, NOW_MS, newSecret, REX, type TestDatabase, testDatabases } from './databases.ts';

const databases = testDatabases();
const [[, file]] = databases as [[string, TestDatabase]];

/** The header and the records of an export. */
async function linesOf(url: string): Promise<[string, ...string[]]> {
  await using store = await backend(url).openForCommand(TEST_ORIGIN);
  await using exported = await store.openExport();
  const records = await Array.fromAsync(exported.records);
  return [headerToJson(exported), ...records.map(recordToJson)];
}

async function importLines(url: string, [header, ...records]: [string, ...string[]]) {
  async function* parsed(): AsyncIterable<StoreRecord> {
    yield* records.map(parseRecord);
  }
  await backend(url).importAll(parsed(), parseHeader(header).lastIds, TEST_ORIGIN);
}

const key = (scope: 'all' | 'read' = 'all') => ({
  label: '',
  secret: newSecret(),
  expiresAtMs: null,
  scope,
});

describe.each(databases)('a store that moves to %s', (_, { create }) => {
  test('and back keeps suspensions, scopes, the usage history and the audit, which records the moves', async () => {
    const original = await file.create();
    {
      await using store = await openStore(original);
      await Promise.all(newPets(9).map((pet) => store.pets.createPet(pet)));
      await store.accounts.createAccount({ name: 'late payer', ...FREE, firstKey: key('read') });
      await store.accounts.suspendAccount('late payer', { reason: 'unpaid', nowMs: NOW_MS });
      const old = anHour({ startsAtMs: Date.UTC(2026, 0, 1, 5), served: 3, busiestMinute: 3 });
      await store.history.add([old, anHour({ served: 2, keyId: 2, busiestMinute: 2 })]);
      await store.history.compact('hours', Date.UTC(2026, 1));
      await store.accounts.createAccount({ name: 'gone', ...FREE, firstKey: key() });
      await store.accounts.removeAccount('gone');
    }
    const lines = await linesOf(original);
    expect(lines[1]).toContain(`"suspendedAtMs":${NOW_MS},"suspensionReason":"unpaid"`);
    const [target, back] = [await create(), await file.create()];
    await importLines(target, lines);
    await importLines(back, await linesOf(target));
    const [, ...moved] = await linesOf(back);
    expect(moved.filter((line) => !line.includes('"store.import"'))).toEqual(lines.slice(1));
    expect(moved).toHaveLength(lines.length - 1 + 2);
    // The removed account had key 2.
    await using store = await openStore(target);
    await store.accounts.createAccount({ name: 'new', ...FREE, firstKey: key() });
    expect(await store.accounts.listKeys()).toMatchObject([
      { id: 1, scope: 'read' },
      { id: 3, accountId: 3 },
    ]);
  });
});

test('a pet with the last id of an int64, after which no pet could get one, is refused', () => {
  const pet = { id: INT64_MAX, ...REX };
  expect(() => parseRecord(recordToJson({ kind: 'pet', value: pet }))).toThrow(
    'pet: must have an id from -9223372036854775807 to 9223372032559808511',
  );
});

test('an export with other fields has another version: older programs would drop them', () => {
  const fields = Bun.SHA256.hash(JSON.stringify(RECORD_FIELDS), 'hex').slice(0, 8);
  // A line for each version: those of a release never change.
  expect({ 1: '311e346b', 2: '17a625ad' }).toHaveProperty(`${VERSION}`, fields);
});

test('an export of a newer version is refused', () => {
  expect(() => parseHeader(`{"format":"animal-store","version":${VERSION + 1n}}`)).toThrow(
    'A newer version of Animal Store wrote this export. Use that version. Nothing was changed.',
  );
});
