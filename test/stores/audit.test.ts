import { describe, expect, test } from 'bun:test';
import type { AccountStore, ListedKey } from '#domain/operator/account-store.ts';
import { PLANS } from '#domain/plan.ts';
import { hashSecret } from '#stores/sql/sql.ts';
import { rejection } from '../support/time.ts';
import { addAccount, messageOf, NOW_MS, newSecret, openStores } from './databases.ts';

const NOW = '2026-11-15T00:00:00Z';
const DAY_MS = 86_400_000;
const CONSOLE = { command: 'console', operator: 'token ab12cd34' };

const secrets: string[] = [];

function auditedSecret() {
  const secret = newSecret();
  secrets.push(secret);
  return secret;
}

function newKey(accountName: string) {
  return { accountName, label: 'till', secret: auditedSecret(), expiresAtMs: null };
}

interface Change {
  readonly make: (
    accounts: AccountStore,
    name: string,
    keyId: number,
    isRepeated?: boolean,
  ) => Promise<unknown>;
  /** Undefined where nothing existed before. */
  readonly old?: object;
  readonly changed: object;
  /** If the action is repeated a minute later, it changes nothing. */
  readonly once?: true;
}

/** Each change of an account or key, with the fields that it changes. */
const CHANGES: Record<string, Change> = {
  'key.create': {
    make: (accounts, name) => accounts.createKey(newKey(name)),
    changed: { label: 'till', expiresAt: null, createdAt: NOW, successorId: null },
  },
  'account.set-plan': {
    make: (accounts, name) => accounts.setPlan(name, 'pro', PLANS.pro.limits),
    old: { plan: 'free', perMinute: 60, perDay: 1_000 },
    changed: { plan: 'pro', perMinute: 300, perDay: 10_000 },
    once: true,
  },
  'account.suspend': {
    // The second suspension has no reason.
    make: (accounts, name, _, isRepeated) =>
      accounts.suspendAccount(name, isRepeated ? undefined : 'unpaid'),
    old: { suspendedAt: null, suspensionReason: null },
    changed: { suspendedAt: NOW, suspensionReason: 'unpaid' },
    once: true,
  },
  'account.resume': {
    make: (accounts, name) => accounts.resumeAccount(name),
    old: { suspensionReason: 'unpaid' },
    changed: { suspendedAt: null, suspensionReason: null },
    once: true,
  },
  'key.update': {
    make: (accounts, _, id) =>
      accounts.updateKey(id, { label: 'phone', expiresAtMs: NOW_MS + 2 * DAY_MS }),
    old: { label: 'first', expiresAt: null },
    changed: { label: 'phone', expiresAt: '2026-11-17T00:00:00Z' },
    once: true,
  },
  'key.unban': {
    make: (accounts, _, id) => accounts.unbanKey(id),
    old: { unbannedAt: null },
    changed: { unbannedAt: NOW },
  },
  'key.rotate': {
    make: (accounts, _, id) =>
      accounts.rotateKey(id, {
        ...newKey(''),
        overlapMs: DAY_MS,
        expiresAtMs: NOW_MS + 2 * DAY_MS,
      }),
    old: { expiresAt: '2026-11-17T00:00:00Z', successorId: null },
    changed: {
      expiresAt: '2026-11-16T00:00:00Z',
      successorId: expect.any(Number),
      successor: expect.objectContaining({
        account: 'changing',
        label: 'phone',
        expiresAt: '2026-11-17T00:00:00Z',
      }),
    },
  },
  'key.revoke': {
    make: (accounts, _, id) => accounts.revokeKey(id),
    old: { revokedAt: null },
    changed: { revokedAt: NOW },
    once: true,
  },
  'account.rename': {
    make: (accounts, name) => accounts.renameAccount(name, `${name} renamed`),
    old: { name: expect.not.stringContaining('renamed') },
    changed: { name: expect.stringContaining('renamed') },
  },
};

let nowMs = NOW_MS;
const stores = await openStores(() => nowMs);

describe.each(stores)('the audit on %s', (_, { store, url, ...database }) => {
  const operator = store.forOperator(CONSOLE);

  /** The entries that an action adds, the oldest first. */
  async function entriesOf(action: () => Promise<unknown>) {
    const [last] = await operator.audit.listChanges({ limit: 1 });
    await action();
    const newest = await operator.audit.listChanges({ limit: 100 });
    return newest.filter(({ id }) => id > (last?.id ?? 0)).reverse();
  }

  async function newAccount(name: string) {
    const { id } = await addAccount(operator, name);
    return { id, key: await operator.accounts.createKey(newKey(name)) };
  }

  test('has one entry for each change, with the values before and after', async () => {
    const create = () => addAccount(operator, 'changing', auditedSecret());
    const [created, ...others] = await entriesOf(create);
    expect(others).toEqual([]);
    expect(created).toMatchObject({ action: 'account.create', oldValue: null });
    expect(JSON.parse(created?.newValue ?? '')).toMatchObject({
      name: 'changing',
      perMinute: 60,
      firstKey: { label: 'first', account: 'changing' },
    });
    const id = created?.accountId;
    const [key] = (await operator.accounts.listKeys([id as number])) as [ListedKey];
    for (const [action, { make, old, changed, once }] of Object.entries(CHANGES)) {
      const change = (isRepeated = false) =>
        make(operator.accounts, 'changing', key.id, isRepeated);
      const [entry, ...more] = await entriesOf(change);
      expect([action, more]).toEqual([action, []]);
      expect(entry).toMatchObject({
        action,
        accountId: id,
        createdAtMs: NOW_MS,
        ...CONSOLE,
        subject: action.startsWith('key') ? expect.stringMatching(/^key \d+$/) : `account ${id}`,
      });
      expect(JSON.parse(entry?.newValue ?? '')).toMatchObject(changed);
      if (old === undefined) expect(entry?.oldValue).toBeNull();
      else expect(JSON.parse(entry?.oldValue ?? '')).toMatchObject(old);
      nowMs = NOW_MS + 60_000;
      const again = once ? await entriesOf(() => change(true)) : [];
      nowMs = NOW_MS;
      expect([action, again]).toEqual([action, []]);
    }
  });

  test('prevents a change that it cannot record', async () => {
    const { key } = await newAccount('kept');
    const content = async () => [
      await operator.accounts.listAccounts(),
      await operator.accounts.listKeys(),
    ];
    const before = await content();
    const { accounts } = store.forOperator({ ...CONSOLE, operator: null as unknown as string });
    await rejection(addAccount({ accounts }, 'unrecorded'));
    for (const { make } of Object.values(CHANGES)) {
      await make(accounts, 'kept', key.id).catch(() => {});
    }
    expect(await content()).toEqual(before);
  });

  test('has one entry for two simultaneous changes of which one fails', async () => {
    const { key } = await newAccount('one');
    await newAccount('two');
    const { accounts } = operator;
    const rotate = () => accounts.rotateKey(key.id, { ...newKey(''), overlapMs: 0 });
    for (const changes of [
      () => [rotate(), rotate()],
      () => [accounts.renameAccount('one', 'same'), accounts.renameAccount('two', 'same')],
    ]) {
      let statuses: string[] = [];
      const entries = await entriesOf(async () => {
        statuses = (await Promise.allSettled(changes())).map(({ status }) => status);
      });
      expect(statuses.toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(entries).toHaveLength(1);
    }
  });

  test('is append-only', async () => {
    const before = await operator.audit.listChanges({});
    for (const statement of [
      "UPDATE audit SET operator = 'nobody'",
      'DELETE FROM audit',
      database.isFile ? 'INSERT OR REPLACE INTO audit SELECT * FROM audit' : 'TRUNCATE audit',
    ]) {
      expect(await messageOf(database.query(url, statement))).toBe('the audit is append-only');
    }
    expect(await operator.audit.listChanges({})).toEqual(before);
  });

  test('contains neither a secret nor a hash', async () => {
    const secret = auditedSecret();
    const { key } = await newAccount('careless');
    await operator.accounts.updateKey(key.id, { label: `phone: ${secret}` });
    const reason = `leaked ${encodeURIComponent(`"${secret}"`)}`;
    await operator.accounts.suspendAccount('careless', reason);
    const text = JSON.stringify(await operator.audit.listChanges({}));
    expect(text).toContain('ask_[redacted]');
    for (const each of secrets) {
      expect(text).not.toContain(each);
      expect(text.toLowerCase()).not.toContain(Buffer.from(hashSecret(each)).toString('hex'));
    }
  });
});
