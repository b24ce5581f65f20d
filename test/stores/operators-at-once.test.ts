import { expect, test } from 'bun:test';
import { openStore } from '../support/store.ts';
import { newFile } from '../support/temporary-folder.ts';
import { addAccount, newSecret } from './databases.ts';

// On PostgreSQL, each transaction has its own connection.
test('neither a request nor an operator sees a change before its commit', async () => {
  let look = (): Promise<unknown> => Promise.resolve();
  const seen: Promise<unknown>[] = [];
  // The audit asks for the operator in the middle of a change.
  const origin = {
    command: 'test',
    get operator() {
      seen.push(look());
      return 'tester';
    },
  };
  await using store = await openStore(newFile().url);
  const rotated = newSecret();
  await addAccount(store, 'old', newSecret());
  const [one, other] = [store.forOperator(origin), store.forOperator(origin)];
  look = async () => [
    await store.keys.findKey(rotated),
    (await one.accounts.listKeys()).map(({ accountName }) => accountName),
  ];
  const rotation = { secret: rotated, overlapMs: 1_000, expiresAtMs: null };
  await Promise.all([
    one.accounts.rotateKey(1, rotation),
    other.accounts.renameAccount('old', 'new'),
  ]);
  expect(await Promise.all(seen)).toEqual([
    [undefined, ['old']],
    [expect.anything(), ['old', 'old']],
  ]);
  expect((await store.keys.findKey(rotated))?.accountName).toBe('new');
});
