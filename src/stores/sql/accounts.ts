import type { Account } from '#domain/account.ts';
import { changedKeyFields, rotatedExpiry } from '#domain/api-key.ts';
import { NotFoundError } from '#domain/error.ts';
import { parseSecret } from '#domain/key-secret.ts';
import {
  type AccountRow,
  type AccountStore,
  accountExists,
  KEY_TESTS,
  type ListedKey,
  type NewKey,
  toAccount,
  unknownAccount,
  unknownKey,
} from '#domain/operator/account-store.ts';
import { accountChange, keyChange } from '#domain/operator/audit.ts';
import { RECORD_FIELDS } from '#domain/operator/transfer.ts';
import { limitsToStore } from '#domain/plan.ts';
import type { Change } from './audit.ts';
import { deleteRemovedPeriods } from './history.ts';
import {
  type Fields,
  hashSecret,
  insert,
  type Sql,
  type SqlDatabase,
  selectList,
  update,
  Values,
} from './sql.ts';

const WITHOUT_HASH = RECORD_FIELDS.key.filter((field) => field !== 'hash');
const CLOCK_FIELDS = ['clockSetToMs', 'clockOffsetMs', 'resets'];
const KEY_COLUMNS = `${selectList(WITHOUT_HASH, 'k.')}, a.name AS "accountName",
  a.suspended_at AS "accountSuspendedAtMs", ${selectList(CLOCK_FIELDS, 'a.')}`;
const FROM_KEYS = 'FROM api_keys AS k JOIN accounts AS a ON a.id = k.account_id';

// The queries for an `AccountRow`, a `ListedKey` and a `KnownKeyRow`. The caller appends a WHERE clause.
const SELECT_ACCOUNTS = `SELECT ${selectList([...RECORD_FIELDS.account, ...CLOCK_FIELDS])} FROM accounts`;
const SELECT_LISTED_KEYS = `SELECT ${KEY_COLUMNS}, nullif(u.last_at, 0) AS "acceptedAtMs",
  ${selectList(['refusedAtMs', 'refusal'], 'u.')} ${FROM_KEYS}
  LEFT JOIN key_uses AS u ON u.account_id = k.account_id AND u.key_id = k.id`;
export const SELECT_KNOWN_KEYS = `SELECT ${KEY_COLUMNS}, ${selectList(['plan', 'perMinute', 'perDay'], 'a.')} ${FROM_KEYS}`;

const KEYS_PER_SLICE = 500;

/**
 * Accounts and keys. A change reads the row, changes it, reads it again, and records both in the audit, in one
 * transaction. All rows are read before the commit. A failure after it could hide the secret of a new key.
 */
export function sqlAccounts(
  database: SqlDatabase,
  change: Change,
  now: () => number,
): AccountStore {
  return {
    async listAccounts(afterId = 0, limit = Number.MAX_SAFE_INTEGER) {
      const select = `${SELECT_ACCOUNTS} WHERE id > $1 ORDER BY id LIMIT $2`;
      return (await database.report<AccountRow>(select, afterId, limit)).map(toAccount);
    },

    getAccount: (name) => findAccount(database, name),

    async getAccounts(ids) {
      const rows = await allWithId<AccountRow>(database, `${SELECT_ACCOUNTS} WHERE id`, ids);
      return rows.map(toAccount);
    },

    listKeys: (accountIds) =>
      accountIds === undefined
        ? database.all(`${SELECT_LISTED_KEYS} ORDER BY k.id`)
        : allWithId(database, `${SELECT_LISTED_KEYS} WHERE k.account_id`, accountIds),

    /** Reads in slices of the same number of keys, however few of them match. */
    async *searchKeys({ accountId, filter, afterId = 0 }) {
      const ofAccount = accountId === undefined ? [] : [accountId];
      const select = `${SELECT_LISTED_KEYS} WHERE k.id > $1 ${accountId === undefined ? '' : 'AND k.account_id = $2'}
        ORDER BY k.id LIMIT ${KEYS_PER_SLICE}`;
      for (let lastId: number | undefined = afterId; lastId !== undefined; ) {
        const slice: ListedKey[] = await database.report(select, lastId, ...ofAccount);
        yield filter === undefined
          ? slice
          : slice.filter((key) => KEY_TESTS[filter](key, now() + key.clockOffsetMs));
        lastId = slice.at(-1)?.id;
      }
    },

    getKey: (id) => findKey(database, 'id', id),

    findKey: async (secret) => findKey(database, 'hash', hashSecret(parseSecret(secret))),

    ...accountWrites(database, change),
    ...keyWrites(database, change),
  };
}

function accountWrites(database: SqlDatabase, change: Change) {
  /**
   * Also moves the revision of the store, so that services read their cached keys again. Triggers do this:
   * `accounts_updated` in `migrations/sqlite/0001_create_store.sql`, and `accounts_changed` in
   * `migrations/postgres/0004_record_changes.sql`. `sqliteRevision` and `postgresRevision` notice it, and
   * `cachedKeyFinder` compares. Each request passes the limits of its key to the limiter, so a new plan applies at once.
   */
  function updateAccount(
    name: string,
    action: string,
    changesOf: (old: Account, nowMs: number) => Fields & { readonly name?: string },
  ) {
    return change(async (sql, nowMs) => {
      const old = await findAccount(sql, name, database.forUpdate);
      const changes = changesOf(old, nowMs);
      // The change may be a new name.
      const newName = changes.name ?? name;
      await update(sql, 'accounts', old.id, changes).catch(unlessTaken(newName));
      const account = await findAccount(sql, newName);
      return [account, accountChange(action, old, account)];
    });
  }

  /** Translates the error of a statement that writes a name. The message has the column or the name of its constraint. */
  const unlessTaken = (name: string) => (error: unknown) => {
    const isTaken = database.isViolation(error) && /accounts[._]name/.test(`${error}`);
    throw isTaken ? accountExists(name) : error;
  };

  return {
    setPlan: (name, plan, limits) =>
      updateAccount(name, 'account.set-plan', () => ({ plan, ...limitsToStore(plan, limits) })),

    suspendAccount: (name, reason) =>
      updateAccount(name, 'account.suspend', (old, nowMs) => ({
        suspendedAtMs: old.suspendedAtMs ?? nowMs,
        suspensionReason: reason ?? old.suspensionReason,
      })),

    resumeAccount: (name) =>
      updateAccount(name, 'account.resume', () => ({ suspendedAtMs: null, suspensionReason: '' })),

    renameAccount: (name, newName) =>
      updateAccount(name, 'account.rename', () => {
        if (name === newName) throw accountExists(name);
        return { name: newName };
      }),

    createAccount: ({ name, plan, limits, firstKey }) =>
      change(async (sql, createdAtMs) => {
        const row = { name, plan, ...limitsToStore(plan, limits), createdAtMs };
        await insert(sql, 'accounts', [row]).catch(unlessTaken(name));
        const account = await findAccount(sql, name);
        const key = firstKey && (await insertKey(sql, account.id, firstKey, createdAtMs));
        const entry = accountChange('account.create', undefined, account, key);
        return [{ ...account, firstKey: key }, entry];
      }),

    /** Also deletes its keys. Usage that arrives from now on is dropped, and reports no longer show its history. */
    removeAccount: (name) =>
      change(async (sql) => {
        const removed = await findAccount(sql, name, database.forUpdate);
        await sql.all('DELETE FROM accounts WHERE id = $1', removed.id);
        await sql.all('DELETE FROM key_uses WHERE account_id = $1', removed.id);
        return [removed, accountChange('account.remove', removed, undefined)];
      }),

    finishRemovals: (show) => deleteRemovedPeriods(database, show),
  } satisfies Partial<AccountStore>;
}

function keyWrites(database: SqlDatabase, change: Change) {
  /** Moves the revision of the store as a change of an account does. The trigger is `api_keys_updated`. */
  function updateKey(
    id: number,
    action: string,
    changesOf: (old: ListedKey, nowMs: number) => Fields,
  ) {
    return change(async (sql, nowMs) => {
      const old = await lockKey(sql, id);
      await update(sql, 'api_keys', id, changesOf(old, nowMs));
      const key = await findKey(sql, 'id', id);
      return [key, keyChange(action, old, key)];
    });
  }

  /** Every change locks the account first. If they locked rows in different orders, two changes could wait for each other. */
  async function lockKey(sql: Sql, id: number): Promise<ListedKey> {
    const account =
      'SELECT 1 FROM accounts WHERE id = (SELECT account_id FROM api_keys WHERE id = $1)';
    await sql.all(`${account} ${database.forUpdate}`, id);
    return await findKey(sql, 'id', id);
  }

  return {
    createKey: ({ accountName, ...newKey }) =>
      change(async (sql, nowMs) => {
        const { id } = await findAccount(sql, accountName, database.forUpdate);
        const key = await insertKey(sql, id, newKey, nowMs);
        return [key, keyChange('key.create', undefined, key)];
      }),

    rotateKey: (id, { overlapMs, ...newKey }) =>
      change(async (sql, nowMs) => {
        const before = await lockKey(sql, id);
        const { accountId, label, scope } = before;
        const expiresAtMs = rotatedExpiry(before, nowMs, overlapMs);
        const successor = await insertKey(sql, accountId, { ...newKey, label, scope }, nowMs);
        await update(sql, 'api_keys', id, { expiresAtMs, successorId: successor.id });
        const old = await findKey(sql, 'id', id);
        return [{ old, successor }, keyChange('key.rotate', before, old, successor)];
      }),

    updateKey: (id, changes) =>
      updateKey(id, 'key.update', (old) => changedKeyFields(old, changes)),

    revokeKey: (id) =>
      updateKey(id, 'key.revoke', (old, nowMs) => ({ revokedAtMs: old.revokedAtMs ?? nowMs })),

    unbanKey: (id) => updateKey(id, 'key.unban', (_, nowMs) => ({ unbannedAtMs: nowMs })),
  } satisfies Partial<AccountStore>;
}

export async function findAccount(sql: Sql, name: string, lock = ''): Promise<Account> {
  const [row] = await sql.all<AccountRow>(`${SELECT_ACCOUNTS} WHERE name = $1 ${lock}`, name);
  if (row === undefined) throw unknownAccount(name);
  return toAccount(row);
}

async function findKey(
  sql: Sql,
  column: 'id' | 'hash',
  value: number | Uint8Array,
): Promise<ListedKey> {
  const [row] = await sql.all<ListedKey>(`${SELECT_LISTED_KEYS} WHERE k.${column} = $1`, value);
  if (row !== undefined) return row;
  throw typeof value === 'number'
    ? unknownKey(value)
    : new NotFoundError('This store does not have this key.');
}

/** The rows of a query that ends with the name of an id, in the order of their own ids. */
async function allWithId<Row>(sql: Sql, query: string, ids: readonly number[]): Promise<Row[]> {
  if (ids.length === 0) return [];
  const values = new Values();
  return await sql.all(`${query} IN (${ids.map(values.add)}) ORDER BY 1`, ...ids);
}

async function insertKey(
  sql: Sql,
  accountId: number,
  { secret, label, expiresAtMs, scope = 'all' }: Omit<NewKey, 'accountName'>,
  createdAtMs: number,
): Promise<ListedKey> {
  const hash = hashSecret(secret);
  const lastFour = secret.slice(-4);
  const row = { accountId, hash, lastFour, label, createdAtMs, expiresAtMs, scope };
  await insert(sql, 'api_keys', [row]);
  return await findKey(sql, 'hash', hash);
}
