import { expect, test } from 'bun:test';
import { backend, TEST_ORIGIN } from '../support/store.ts';
import { newFile } from '../support/temporary-folder.ts';
import { FREE, newSecret } from './databases.ts';

// On PostgreSQL, each transaction has its own connection.
test('neither a request nor an operator sees a change before its commit', async () => {
  let look = (): Promise<unknown> => Promise.resolve();
  const seen: Promise<unknown>[] = [];
  // The audit asks for the time in the middle of a change.
  const now = () => {
    seen.push(look());
    return 1;
  };
  await using store = await backend(newFile().url, 1, now).openStore();
  const [secret, rotated] = [newSecret(), newSecret()];
  const firstKey = { label: '', secret, expiresAtMs: null };
  await store.accounts.createAccount({ name: 'old', ...FREE, firstKey });
  const [one, other] = [store.forOperator(TEST_ORIGIN), store.forOperator(TEST_ORIGIN)];
  look = () =>
    Promise.all([
      store.keys.findKey(rotated),
      one.accounts.listKeys(),
      one.accounts.listAccounts(),
    ]);
  seen.length = 0;
  const rotation = { secret: rotated, overlapMs: 1_000, expiresAtMs: null, nowMs: 1 };
  await Promise.all([
    one.accounts.rotateKey(1, rotation),
    other.accounts.renameAccount('old', 'new'),
  ]);
  const [first, second] = (await Promise.all(seen)) as [unknown, object[], { name: string }[]][];
  expect([first?.[0], first?.[1]?.length, first?.[2]?.[0]?.name]).toEqual([undefined, 1, 'old']);
  expect([second?.[1]?.length, second?.[2]?.[0]?.name]).toEqual([2, 'old']);
  expect((await store.keys.findKey(rotated))?.accountName).toBe('new');
});
