import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Store } from '../../src/domain/backend.ts';
import { OperatorError } from '../../src/domain/error.ts';
import { mintSecret } from '../../src/domain/key-secret.ts';
import { platform } from '../../src/platform.ts';
import { rejection } from '../support/rejection.ts';

const NOW_MS = Date.UTC(2026, 10, 15);
const DAY_MS = 86_400_000;
const FREE = { plan: 'free', limits: { perMinute: 60, perDay: 1_000 }, nowMs: NOW_MS } as const;

/** The rules for every store of accounts and keys. */
export function accountStoreSuite(name: string, open: () => Promise<Store>): void {
  describe(name, () => {
    let store: Store;

    beforeAll(async () => {
      store = await open();
    });
    afterAll(() => store[Symbol.asyncDispose]());

    const newSecret = () => mintSecret(platform.randomBytes);

    async function newKey(accountName: string, expiresAtMs: number | null = null) {
      const secret = newSecret();
      const key = await store.accounts.createKey({
        accountName,
        label: 'test',
        secret,
        expiresAtMs,
        nowMs: NOW_MS,
      });
      return { ...key, secret };
    }

    test('an account is created with its plan and found by its name', async () => {
      const account = await store.accounts.createAccount({ name: 'acme', ...FREE });
      expect(account).toEqual({
        id: account.id,
        name: 'acme',
        plan: 'free',
        limits: FREE.limits,
        createdAtMs: NOW_MS,
        suspendedAtMs: null,
        suspensionReason: '',
        clockPutToMs: 0,
        clockOffsetMs: 0,
        resets: 0,
      });
      expect(await store.accounts.getAccount('acme')).toEqual(account);
      expect(await store.accounts.listAccounts()).toContainEqual(account);
    });

    test('an account can be created together with its first key', async () => {
      const secret = newSecret();
      const firstKey = { label: 'first', secret, expiresAtMs: null };
      await store.accounts.createAccount({ name: 'keyed', ...FREE, firstKey });
      expect((await store.keys.findKey(secret))?.account.name).toBe('keyed');
      const again = store.accounts.createAccount({
        name: 'keyed',
        ...FREE,
        firstKey: { ...firstKey, secret: newSecret() },
      });
      expect(await rejection(again)).toBeInstanceOf(OperatorError);
      expect(await store.accounts.listKeys('keyed')).toHaveLength(1);
      expect(await store.accounts.hasAccounts()).toBe(true);
    });

    test('two accounts cannot have the same name', async () => {
      await store.accounts.createAccount({ name: 'unique', ...FREE });
      expect(
        await rejection(store.accounts.createAccount({ name: 'unique', ...FREE })),
      ).toHaveProperty('message', expect.stringContaining('Account "unique" already exists.'));
    });

    test('an Enterprise account keeps the limits it was created with', async () => {
      const limits = { perMinute: 7, perDay: 77 };
      const big = { name: 'big', plan: 'enterprise', limits, nowMs: NOW_MS } as const;
      expect((await store.accounts.createAccount(big)).limits).toEqual(limits);
      const { secret } = await newKey('big');
      expect((await store.keys.findKey(secret))?.account.limits).toEqual(limits);
    });

    test('a key has the new limits right after a change of plan', async () => {
      await store.accounts.createAccount({ name: 'growing', ...FREE });
      const { secret } = await newKey('growing');
      const pro = { perMinute: 300, perDay: 10_000 };
      expect(await store.accounts.setPlan('growing', 'pro', pro)).toMatchObject({ plan: 'pro' });
      expect((await store.keys.findKey(secret))?.account.limits).toEqual(pro);
    });

    test('a suspended account keeps the time and the reason until it is resumed', async () => {
      const { accounts } = store;
      const created = await accounts.createAccount({ name: 'late-payer', ...FREE });
      const { secret } = await newKey('late-payer');
      const first = { reason: 'unpaid', nowMs: NOW_MS + 1 };
      const suspended = { ...created, suspendedAtMs: NOW_MS + 1, suspensionReason: 'unpaid' };
      expect(await accounts.suspendAccount('late-payer', first)).toEqual(suspended);
      const again = { reason: undefined, nowMs: NOW_MS + 2 };
      expect(await accounts.suspendAccount('late-payer', again)).toEqual(suspended);
      expect(await store.keys.findKey(secret)).toMatchObject({ account: suspended, endsAtMs: 0 });
      const [listed] = await accounts.listKeys('late-payer');
      expect(listed?.accountSuspendedAtMs).toBe(NOW_MS + 1);

      expect(await accounts.resumeAccount('late-payer')).toEqual(created);
      expect((await store.keys.findKey(secret))?.endsAtMs).toBe(Number.POSITIVE_INFINITY);
    });

    test('a renamed account keeps its id and its keys', async () => {
      const { accounts } = store;
      const created = await accounts.createAccount({ name: 'maiden', ...FREE });
      const { secret, id } = await newKey('maiden');
      expect(await accounts.renameAccount('maiden', 'married')).toEqual({
        ...created,
        name: 'married',
      });
      expect(await store.keys.findKey(secret)).toMatchObject({
        key: { id },
        account: { id: created.id, name: 'married' },
      });
      expect(await rejection(accounts.getAccount('maiden'))).toBeInstanceOf(OperatorError);
    });

    test('an account cannot be renamed to a name that is taken', async () => {
      const { accounts } = store;
      await accounts.createAccount({ name: 'left', ...FREE });
      await accounts.createAccount({ name: 'right', ...FREE });
      expect(await rejection(accounts.renameAccount('left', 'right'))).toHaveProperty(
        'message',
        'Account "right" already exists.',
      );
      expect(await rejection(accounts.renameAccount('left', 'left'))).toHaveProperty(
        'message',
        'Account "left" already exists.',
      );
      expect((await accounts.getAccount('left')).name).toBe('left');
    });

    test('an update of a key changes only what it names', async () => {
      const { accounts } = store;
      await accounts.createAccount({ name: 'updating', ...FREE });
      const { secret: _, ...key } = await newKey('updating', NOW_MS + DAY_MS);
      expect(await accounts.updateKey(key.id, {})).toEqual(key);
      const labelled = { ...key, label: 'phone' };
      expect(await accounts.updateKey(key.id, { label: 'phone' })).toEqual(labelled);
      const later = { expiresAtMs: NOW_MS + 2 * DAY_MS };
      expect(await accounts.updateKey(key.id, later)).toEqual({ ...labelled, ...later });
      const never = { expiresAtMs: null };
      expect(await accounts.updateKey(key.id, never)).toEqual({ ...labelled, ...never });
    });

    test('a revoked key can get a label, but not a new expiry', async () => {
      const { accounts } = store;
      await accounts.createAccount({ name: 'final', ...FREE });
      const { id } = await newKey('final');
      await accounts.revokeKey(id, NOW_MS);
      const both = { label: 'leaked', expiresAtMs: NOW_MS + DAY_MS };
      expect(await rejection(accounts.updateKey(id, both))).toHaveProperty(
        'message',
        `Key ${id} is revoked. Create a new key instead.`,
      );
      expect(await accounts.updateKey(id, { label: 'leaked' })).toMatchObject({
        label: 'leaked',
        expiresAtMs: null,
      });
    });

    test('the error for an unknown account names it and the command that lists accounts', async () => {
      const { accounts } = store;
      const message = 'Account "nobody" does not exist. "accounts list" shows all accounts.';
      for (const use of [
        () => accounts.getAccount('nobody'),
        () => accounts.renameAccount('nobody', 'x'),
      ]) {
        expect(await rejection(use())).toHaveProperty('message', message);
      }
    });

    test('names are listed in pages', async () => {
      const all = await store.accounts.listAccounts();
      const pages = [
        ...(await store.accounts.listNames(0, 2)),
        ...(await store.accounts.listNames(all[1]?.id ?? 0, 1_000)),
      ];
      expect(pages).toEqual(all.map(({ id, name }) => ({ id, name })));
    });

    test('a key is found only by its secret', async () => {
      await store.accounts.createAccount({ name: 'holder', ...FREE });
      const { secret, id } = await newKey('holder', NOW_MS + DAY_MS);
      expect(await store.keys.findKey(secret)).toMatchObject({
        key: {
          id,
          label: 'test',
          createdAtMs: NOW_MS,
          expiresAtMs: NOW_MS + DAY_MS,
          revokedAtMs: null,
        },
        account: { name: 'holder' },
      });
      expect(await store.keys.findKey(newSecret())).toBeUndefined();
    });

    test('keys are listed for one account or for all', async () => {
      await store.accounts.createAccount({ name: 'two-keys', ...FREE });
      const first = await newKey('two-keys');
      const second = await newKey('two-keys');
      const mine = await store.accounts.listKeys('two-keys');
      expect(mine.map(({ id }) => id)).toEqual([first.id, second.id]);
      expect(mine[0]).toMatchObject({ accountName: 'two-keys' });
      expect((await store.accounts.listKeys()).length).toBeGreaterThan(2);
    });

    test('a rotated key expires after the overlap, and its successor keeps its label and account', async () => {
      await store.accounts.createAccount({ name: 'rotating', ...FREE });
      const { id } = await newKey('rotating');
      const secret = newSecret();
      const rotated = await store.accounts.rotateKey(id, {
        secret,
        overlapMs: DAY_MS,
        nowMs: NOW_MS,
      });
      expect(rotated.old).toMatchObject({ id, expiresAtMs: NOW_MS + DAY_MS });
      expect(rotated.successor).toMatchObject({
        label: 'test',
        accountName: 'rotating',
        expiresAtMs: null,
      });
      expect((await store.keys.findKey(secret))?.key.id).toBe(rotated.successor.id);
    });

    test('a rotation that fails changes nothing', async () => {
      await store.accounts.createAccount({ name: 'revoking', ...FREE });
      const { id, secret } = await newKey('revoking');
      await store.accounts.revokeKey(id, NOW_MS + 1);
      const successorSecret = newSecret();
      const successor = { secret: successorSecret, overlapMs: 0, nowMs: NOW_MS + 2 };
      expect(await rejection(store.accounts.rotateKey(id, successor))).toBeInstanceOf(
        OperatorError,
      );
      expect(await store.keys.findKey(successorSecret)).toBeUndefined();
      expect((await store.keys.findKey(secret))?.key.expiresAtMs).toBeNull();
    });

    test('a key can be rotated only once', async () => {
      await store.accounts.createAccount({ name: 'once-only', ...FREE });
      const { id } = await newKey('once-only');
      await store.accounts.rotateKey(id, {
        secret: newSecret(),
        overlapMs: DAY_MS,
        nowMs: NOW_MS,
      });
      const again = { secret: newSecret(), overlapMs: DAY_MS, nowMs: NOW_MS };
      expect(await rejection(store.accounts.rotateKey(id, again))).toBeInstanceOf(OperatorError);
    });

    test('revoking a key again keeps the time of the first revocation', async () => {
      await store.accounts.createAccount({ name: 'twice', ...FREE });
      const { id } = await newKey('twice');
      await store.accounts.revokeKey(id, NOW_MS + 1);
      expect((await store.accounts.revokeKey(id, NOW_MS + 2)).revokedAtMs).toBe(NOW_MS + 1);
    });

    test('a key records when its ban was lifted', async () => {
      await store.accounts.createAccount({ name: 'unbanned', ...FREE });
      const { id } = await newKey('unbanned');
      expect((await store.accounts.unbanKey(id, NOW_MS + 5)).unbannedAtMs).toBe(NOW_MS + 5);
    });

    test('an error names the account or key that does not exist', async () => {
      const { accounts } = store;
      expect(await rejection(accounts.getAccount('nobody'))).toHaveProperty(
        'message',
        expect.stringContaining('Account "nobody" does not exist'),
      );
      expect(await rejection(accounts.setPlan('nobody', 'free', FREE.limits))).toHaveProperty(
        'message',
        expect.stringContaining('Account "nobody" does not exist'),
      );
      const suspension = { reason: undefined, nowMs: NOW_MS };
      expect(await rejection(accounts.suspendAccount('nobody', suspension))).toHaveProperty(
        'message',
        expect.stringContaining('Account "nobody" does not exist'),
      );
      expect(await rejection(accounts.resumeAccount('nobody'))).toHaveProperty(
        'message',
        expect.stringContaining('Account "nobody" does not exist'),
      );
      expect(await rejection(accounts.listKeys('nobody'))).toHaveProperty(
        'message',
        expect.stringContaining('Account "nobody" does not exist'),
      );
      expect(await rejection(newKey('nobody'))).toHaveProperty(
        'message',
        expect.stringContaining('Account "nobody" does not exist'),
      );
      expect(await rejection(accounts.revokeKey(9_999, 0))).toHaveProperty(
        'message',
        expect.stringContaining('Key 9999 does not exist'),
      );
      expect(await rejection(accounts.updateKey(9_999, {}))).toHaveProperty(
        'message',
        expect.stringContaining('Key 9999 does not exist'),
      );
      expect(await rejection(accounts.unbanKey(9_999, 0))).toHaveProperty(
        'message',
        expect.stringContaining('Key 9999 does not exist'),
      );
      const successor = { secret: newSecret(), overlapMs: 0, nowMs: 0 };
      expect(await rejection(accounts.rotateKey(9_999, successor))).toHaveProperty(
        'message',
        expect.stringContaining('Key 9999 does not exist'),
      );
    });
  });
}
