import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { SQL } from 'bun';
import type { OperatorStore, Store } from '../../src/domain/backend.ts';
import { mintSecret } from '../../src/domain/key-secret.ts';
import type { AccountStore } from '../../src/domain/operator/account-store.ts';
import type { AuditEntry } from '../../src/domain/operator/audit.ts';
import { PLANS } from '../../src/domain/plan.ts';
import { platform } from '../../src/platform.ts';
import { hashSecret } from '../../src/stores/sql/tables.ts';
import { backend, TEST_ORIGIN } from '../support/open-store.ts';
import { postgresForSuites } from '../support/postgres.ts';
import { rejection } from '../support/rejection.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const NOW_MS = Date.UTC(2026, 10, 15);
const NOW = '2026-11-15T00:00:00Z';
const DAY_MS = 86_400_000;
const FREE = { plan: 'free', limits: PLANS.free.limits, nowMs: NOW_MS } as const;
const CONSOLE = { command: 'console', operator: 'token ab12cd34' };

let postgres: Awaited<ReturnType<typeof postgresForSuites>>;
const folder = temporaryFolder();
beforeAll(async () => {
  postgres = await postgresForSuites();
});
afterAll(async () => {
  await postgres[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const BACKENDS = {
  SQLite: {
    newUrl: async () => `sqlite:${join(folder.path, `${crypto.randomUUID()}.db`)}`,
    async execute(url: string, statement: string): Promise<void> {
      using database = new Database(url.slice('sqlite:'.length));
      database.run(statement);
    },
  },
  PostgreSQL: {
    newUrl: () => postgres.newDatabase(),
    async execute(url: string, statement: string): Promise<void> {
      await using sql = new SQL(url, { max: 1 });
      await sql.unsafe(statement);
    },
  },
};

const secrets: string[] = [];

function newSecret(): string {
  const secret = mintSecret(platform.randomBytes);
  secrets.push(secret);
  return secret;
}

function newKey(accountName: string) {
  return { accountName, label: 'till', secret: newSecret(), expiresAtMs: null, nowMs: NOW_MS };
}

/** Each change of an account or key, with the fields that it changes. */
const CHANGES: Readonly<
  Record<
    string,
    {
      readonly make: (accounts: AccountStore, name: string, keyId: number) => Promise<unknown>;
      /** Undefined where nothing existed before. */
      readonly old?: object;
      readonly changed: object;
      /** Repeated, it changes nothing. */
      readonly once?: true;
    }
  >
> = {
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
    make: (accounts, name) =>
      accounts.suspendAccount(name, { reason: 'unpaid', nowMs: NOW_MS + 1_000 }),
    old: { suspendedAt: null, suspensionReason: '' },
    changed: { suspendedAt: '2026-11-15T00:00:01Z', suspensionReason: 'unpaid' },
    once: true,
  },
  'account.resume': {
    make: (accounts, name) => accounts.resumeAccount(name),
    old: { suspensionReason: 'unpaid' },
    changed: { suspendedAt: null, suspensionReason: '' },
    once: true,
  },
  'key.update': {
    make: (accounts, _, id) =>
      accounts.updateKey(id, { label: 'phone', expiresAtMs: NOW_MS + 2 * DAY_MS }),
    old: { label: 'till', expiresAt: null },
    changed: { label: 'phone', expiresAt: '2026-11-17T00:00:00Z' },
    once: true,
  },
  'key.unban': {
    make: (accounts, _, id) => accounts.unbanKey(id, NOW_MS),
    old: { unbannedAt: null },
    changed: { unbannedAt: NOW },
    once: true,
  },
  'key.rotate': {
    make: (accounts, _, id) =>
      accounts.rotateKey(id, { secret: newSecret(), overlapMs: DAY_MS, nowMs: NOW_MS }),
    old: { expiresAt: '2026-11-17T00:00:00Z', successorId: null },
    changed: {
      expiresAt: '2026-11-16T00:00:00Z',
      successorId: expect.any(Number),
      successor: expect.objectContaining({ label: 'phone', expiresAt: '2026-11-17T00:00:00Z' }),
    },
  },
  'key.revoke': {
    make: (accounts, _, id) => accounts.revokeKey(id, NOW_MS),
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

describe.each(Object.entries(BACKENDS))('the audit on %s', (_, { newUrl, execute }) => {
  let url: string;
  let store: Store;
  let operator: OperatorStore;
  let nowMs = NOW_MS;

  beforeAll(async () => {
    url = await newUrl();
    store = await backend(url, 4, () => nowMs).openStore();
    operator = store.forOperator(CONSOLE);
  });
  afterAll(() => store[Symbol.asyncDispose]());

  /** The entries that an action adds, the oldest first. */
  async function entriesOf(action: () => Promise<unknown>): Promise<AuditEntry[]> {
    const [last] = await operator.audit.listChanges({ limit: 1 });
    await action();
    const newest = await operator.audit.listChanges({ limit: 100 });
    return newest.filter(({ id }) => id > (last?.id ?? 0)).reverse();
  }

  async function newAccount(name: string) {
    const { id } = await operator.accounts.createAccount({ name, ...FREE });
    return { id, key: await operator.accounts.createKey(newKey(name)) };
  }

  test('has one entry for each change, with the values before and after', async () => {
    const { id, key } = await newAccount('changing');
    for (const [action, { make, old, changed, once }] of Object.entries(CHANGES)) {
      const change = () => make(operator.accounts, 'changing', key.id);
      const [entry, ...more] = await entriesOf(change);
      expect([action, more]).toEqual([action, []]);
      expect(entry).toMatchObject({
        ...{ action, accountId: id, createdAtMs: NOW_MS, ...CONSOLE },
        subject: action.startsWith('key') ? expect.stringMatching(/^key \d+$/) : `account ${id}`,
      });
      expect(JSON.parse(entry?.newValue ?? '')).toMatchObject(changed);
      if (old === undefined) expect(entry?.oldValue).toBeNull();
      else expect(JSON.parse(entry?.oldValue ?? '')).toMatchObject(old);
      if (once) expect([action, await entriesOf(change)]).toEqual([action, []]);
    }
  });

  test('has one entry for an account that is created with its first key', async () => {
    const firstKey = { label: 'first', secret: newSecret(), expiresAtMs: null };
    const create = () => operator.accounts.createAccount({ name: 'keyed', ...FREE, firstKey });
    const [entry, ...more] = await entriesOf(create);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ action: 'account.create', oldValue: null });
    expect(JSON.parse(entry?.newValue ?? '')).toMatchObject({
      ...{ name: 'keyed', plan: 'free', perMinute: 60, createdAt: NOW },
      firstKey: { label: 'first', account: 'keyed' },
    });
  });

  test('prevents a change that it cannot record', async () => {
    const { key } = await newAccount('kept');
    const content = async () => [
      await operator.accounts.getAccount('kept'),
      await operator.accounts.listKeys('kept'),
    ];
    const before = await content();
    const { accounts } = store.forOperator({ ...CONSOLE, operator: null as unknown as string });
    for (const [action, { make }] of Object.entries(CHANGES)) {
      await make(accounts, 'kept', key.id).catch(() => {});
      expect([action, ...(await content())]).toEqual([action, ...before]);
    }
    await rejection(accounts.createAccount({ name: 'unrecorded', ...FREE }));
    expect(await rejection(operator.accounts.getAccount('unrecorded'))).toHaveProperty(
      'name',
      'OperatorError',
    );
  });

  test('has no entry for a change that fails', async () => {
    const { key } = await newAccount('failing');
    await operator.accounts.revokeKey(key.id, NOW_MS);
    const { accounts } = operator;
    const successor = { secret: newSecret(), overlapMs: 0, nowMs: NOW_MS };
    const failed = await entriesOf(async () => {
      await rejection(accounts.createAccount({ name: 'failing', ...FREE }));
      await rejection(accounts.renameAccount('failing', 'failing'));
      await rejection(accounts.rotateKey(key.id, successor));
      await rejection(accounts.updateKey(key.id, { expiresAtMs: null }));
      await rejection(accounts.createKey(newKey('nobody')));
    });
    expect(failed).toEqual([]);
  });

  test('has one entry for two rotations of a key at once, since one fails', async () => {
    const { key } = await newAccount('racing');
    const rotate = () =>
      operator.accounts.rotateKey(key.id, { secret: newSecret(), overlapMs: 0, nowMs: NOW_MS });
    let failures = 0;
    const fail = () => {
      failures++;
    };
    const entries = await entriesOf(() =>
      Promise.all([rotate().catch(fail), rotate().catch(fail)]),
    );
    expect([entries.length, failures]).toEqual([1, 1]);
  });

  test('has one entry when two accounts get the same name at once', async () => {
    await newAccount('one');
    await newAccount('two');
    const errors: unknown[] = [];
    const rename = (name: string) =>
      operator.accounts.renameAccount(name, 'same').catch((error) => errors.push(error));
    const entries = await entriesOf(() => Promise.all([rename('one'), rename('two')]));
    expect(entries).toHaveLength(1);
    expect(errors).toEqual([
      expect.objectContaining({ message: 'Account "same" already exists.' }),
    ]);
  });

  test('is filtered by time and account, and read page by page', async () => {
    const { id } = await newAccount('filtered');
    await newAccount('other');
    nowMs += DAY_MS;
    await operator.accounts.suspendAccount('filtered', { reason: undefined, nowMs });
    nowMs -= DAY_MS;
    const { audit } = operator;
    const actions = (entries: AuditEntry[]) => entries.map(({ action }) => action);
    expect(actions(await audit.listChanges({ sinceMs: NOW_MS + 1 }))).toEqual(['account.suspend']);
    const mine = await audit.listChanges({ accountId: id });
    expect(actions(mine)).toEqual(['account.suspend', 'key.create', 'account.create']);
    const all = await audit.listChanges({});
    const first = await audit.listChanges({ limit: 5 });
    const rest = await audit.listChanges({ beforeId: first.at(-1)?.id });
    expect([...first, ...rest]).toEqual(all);
  });

  test('shows changes of the service itself as those of "serve"', async () => {
    const [entry] = await entriesOf(() => store.accounts.createAccount({ name: 'self', ...FREE }));
    expect(entry).toMatchObject({ command: 'serve', operator: '' });
  });

  test('is append-only', async () => {
    const before = await operator.audit.listChanges({});
    const [{ id } = { id: 0 }] = before;
    for (const statement of [
      "UPDATE audit SET operator = 'nobody'",
      `UPDATE audit SET id = id + 1000 WHERE id = ${id}`,
      'DELETE FROM audit',
      url.startsWith('sqlite:')
        ? `INSERT OR REPLACE INTO audit SELECT * FROM audit WHERE id = ${id}`
        : 'TRUNCATE audit',
    ]) {
      expect(await rejection(execute(url, statement))).toHaveProperty(
        'message',
        'the audit is append-only',
      );
    }
    expect(await operator.audit.listChanges({})).toEqual(before);
  });

  test('contains neither a secret nor a hash', async () => {
    const secret = mintSecret(platform.randomBytes);
    const { key } = await newAccount('careless');
    await operator.accounts.updateKey(key.id, { label: `phone: ${secret}` });
    const reason = `leaked ${encodeURIComponent(`"${secret}"`)}`;
    await operator.accounts.suspendAccount('careless', { reason, nowMs });
    const text = JSON.stringify(await operator.audit.listChanges({}));
    expect(text).toContain('ask_[redacted]');
    for (const each of [...secrets, secret]) {
      expect(text).not.toContain(each);
      expect(text.toLowerCase()).not.toContain(Buffer.from(hashSecret(each)).toString('hex'));
      expect(text).not.toContain(Buffer.from(hashSecret(each)).toString('base64'));
    }
  });

  test('moves with the store, which records the import', async () => {
    const target = await newUrl();
    const original = await operator.audit.listChanges({});
    {
      await using exported = await backend(url).openExport();
      const importing = backend(target, 1, () => NOW_MS);
      await importing.importAll(exported.records, exported.lastPetId, TEST_ORIGIN);
    }
    await using moved = await backend(target).openForCommand(TEST_ORIGIN);
    const [entry, ...rest] = await moved.audit.listChanges({});
    expect(rest).toEqual(original);
    expect(entry).toMatchObject({ action: 'store.import', subject: 'store', ...TEST_ORIGIN });
    expect(JSON.parse(entry?.newValue ?? '')).toMatchObject({
      counts: { auditEntry: original.length },
    });
  });
});
