import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { recordToJson } from '../../src/domain/transfer.ts';
import { backend, openStore } from '../support/open-store.ts';
import { postgresForSuites } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let postgres: Awaited<ReturnType<typeof postgresForSuites>>;
beforeAll(async () => {
  postgres = await postgresForSuites();
});
afterAll(() => postgres[Symbol.asyncDispose]());

async function linesOf(url: string): Promise<string[]> {
  await using exported = await backend(url).openExport();
  return (await Array.fromAsync(exported.records)).map(recordToJson);
}

async function move(from: string, to: string): Promise<void> {
  await using exported = await backend(from).openExport();
  await backend(to).importAll(exported.records, exported.lastPetId);
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
