import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Store } from '../../src/domain/backend.ts';
import { StoreUnavailableError } from '../../src/domain/error.ts';
import { damageFile } from '../support/damage-file.ts';
import { anHour } from '../support/hour-of-use.ts';
import { openStore, TEST_ORIGIN } from '../support/open-store.ts';
import { rejection } from '../support/rejection.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { historySuite } from './history-suite.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

historySuite('the usage history in SQLite', () => `sqlite:${join(folder.path, 'store.db')}`);

test('a batch that finds the file locked holds up creations only for a moment', async () => {
  const path = join(folder.path, 'locked.db');
  await using store = await openStore(`sqlite:${path}`);
  using other = new Database(path);
  other.run('BEGIN IMMEDIATE');
  const startedMs = performance.now();
  const adding = store.history.add([anHour({ served: 1 })]);
  const creating = store.pets.createPet({ name: 'Rex', categoryId: 1n, status: 'sold' });
  expect(await rejection(adding)).toBeInstanceOf(StoreUnavailableError);
  expect(performance.now() - startedMs).toBeLessThan(1_000);
  // A creation is patient.
  await Bun.sleep(200);
  other.run('ROLLBACK');
  expect((await creating).pet.name).toBe('Rex');
});

const USES: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  'a batch': ({ history }) => history.add([anHour({})]),
  'the compaction': ({ history }) => history.compact(Date.now()),
  'a sum': ({ forOperator }) =>
    Array.fromAsync(forOperator(TEST_ORIGIN).history.sumDays({ sinceMs: 0 })),
  'a report': ({ forOperator }) =>
    Array.fromAsync(forOperator(TEST_ORIGIN).history.read({ sinceMs: 0 })),
};

test.each(Object.entries(USES))('%s that finds damage turns the store off', async (name, use) => {
  const path = join(folder.path, `${name}.db`);
  await using store = await openStore(`sqlite:${path}`);
  await store.history.add([anHour({})]);
  using other = new Database(path);
  other.run('UPDATE revision SET number = number + 1');
  other.run('PRAGMA wal_checkpoint(TRUNCATE)');
  for (const [root] of other
    .query("SELECT rootpage FROM sqlite_schema WHERE tbl_name = 'usage_periods'")
    .values() as [number][]) {
    damageFile(path, (root - 1) * 4_096, root * 4_096);
  }
  expect(await store.isReady()).toBe(true);
  expect(await rejection(use(store))).toBeInstanceOf(StoreUnavailableError);
  expect(await rejection(store.isReady())).toBeInstanceOf(StoreUnavailableError);
});
