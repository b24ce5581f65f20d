import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { StoreUnavailableError } from '../../src/domain/error.ts';
import { anHour } from '../support/hour-of-use.ts';
import { openStore } from '../support/open-store.ts';
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
