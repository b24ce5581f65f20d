import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { readFileSync, rmSync } from 'node:fs';
import { StoreUnavailableError } from '#domain/error.ts';
import { explainStoreError } from '#stores/backends.ts';
import { COUNTS as COUNTS_FILE, openDatabase } from '#stores/sqlite/database.ts';
import { makeKey, run } from '../support/command.ts';
import { openStore } from '../support/store.ts';
import { damageFile, newFile } from '../support/temporary-folder.ts';
import { rejection } from '../support/time.ts';
import { addAccount, REX } from './databases.ts';

const SAVED = { minuteStartSeconds: 60, minuteUsed: 7, dayStartSeconds: 0, dayUsed: 70 };
const PENALTY = {
  refusedUntilSeconds: 1,
  firstRefusedAtSeconds: 2,
  refusals: 3,
  strikes: [4, 5],
  bannedUntilSeconds: 6,
  bans: 7,
  unbannedAtMs: 8,
};
const COUNTS = { counts: [['account:1', SAVED]], penalties: [[1, PENALTY]] } as const;

test('counts are saved without a change of the data file, and are lost alone with their file', async () => {
  const { path, url } = newFile();
  {
    await using store = await openStore(url);
    await store.pets.createPet(REX);
    using data = new Database(path, { readonly: true });
    const version = () => data.query('PRAGMA data_version').get();
    const before = version();
    await store.journal.save(COUNTS);
    expect(version()).toEqual(before);
    expect(store.journal.findCounts('account:1')).toEqual(SAVED);
    expect(store.journal.loadPenalties()).toEqual([[1, PENALTY]]);
  }
  rmSync(`${path}-usage`);
  await using store = await openStore(url);
  expect(store.journal.findCounts('account:1')).toBeUndefined();
  expect(store.journal.loadPenalties()).toEqual([]);
  expect(await store.pets.getPet(1n)).toMatchObject(REX);
});

test('a command needs no usage file', async () => {
  const { path, settings } = newFile();
  await makeKey(settings, 'a');
  rmSync(`${path}-usage`);
  expect(await run(settings, 'accounts list')).toMatchObject({ exitCode: 0, stderr: '' });
});

test('a damaged usage file is named wherever it is read or written', async () => {
  const { path, url } = newFile();
  {
    await using store = await openStore(url);
    await addAccount(store, 'a');
  }
  // The second page has the counts.
  damageFile(`${path}-usage`, 4_096, 8_192);
  const message =
    `Cannot use ${path}-usage: database disk image is malformed. Stop the service, ` +
    'and delete the file or move it away: that loses at most the counts and bans of today.';

  await using store = await openStore(url);
  const unread = await rejection(Promise.try(() => store.journal.findCounts('account:1')));
  expect(unread).toBeInstanceOf(StoreUnavailableError);
  expect(explainStoreError((unread as Error).cause)).toBe(message);
  const unsaved = await rejection(store.journal.save(COUNTS));
  expect(unsaved).toMatchObject({ cause: { message } });
  expect(await run({ DATABASE_URL: url }, 'accounts list')).toMatchObject({
    exitCode: 0,
    stderr: `Counts and bans are not known. ${message}\n`,
  });
});

test('a file of another program in the place of the usage file is left alone', async () => {
  const { path } = newFile();
  const other = 'disk usage of last week\n'.repeat(50);
  await Bun.write(`${path}-usage`, other);
  expect(() => openDatabase(path, COUNTS_FILE)).toThrow('move it away');
  expect(readFileSync(`${path}-usage`, 'utf8')).toBe(other);
});
