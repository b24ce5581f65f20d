import type { Account } from '../../domain/account.ts';
import { changedKeyFields, rotatedExpiry } from '../../domain/api-key.ts';
import { NotFoundError } from '../../domain/error.ts';
import { parseSecret } from '../../domain/key-secret.ts';
import {
  type AccountRow,
  type AccountStore,
  accountExists,
  type ListedKey,
  type NewKey,
  toAccount,
  unknownAccount,
  unknownKey,
} from '../../domain/operator/account-store.ts';
import { accountChange, keyChange } from '../../domain/operator/audit.ts';
import { limitsToStore } from '../../domain/plan.ts';
import type { AuditLog } from './audit.ts';
import { DELETE_SOME_PERIODS, SELECT_HALF_REMOVED } from './history.ts';
import { inSlice } from './jobs.ts';
import { type Fields, insert, type Sql, type SqlDatabase, update } from './sql.ts';
import { ACCOUNT_COLUMNS, hashSecret, SELECT_ACCOUNTS, SELECT_LISTED_KEYS } from './tables.ts';

const KEYS_OF = `${SELECT_LISTED_KEYS} WHERE k.account_id`;

/**
 * Accounts and keys. A change reads the row before, writes, reads the row after and records both. All
 * rows are read before the commit: nothing that fails after it may hide the secret of a key.
 */
export function sqlAccounts(database: SqlDatabase, audit: AuditLog): AccountStore {
  function updateAccount(action: string, name: string, changesOf: (old: Account) => Fields) {
    return database.transaction(async (sql) => {
      const old = await findAccount(sql, 'name', name, database.forUpdate);
      await update(sql, 'accounts', old.id, changesOf(old));
      const account = await findAccount(sql, 'id', old.id);
      await audit.record(sql, accountChange(action, old, account));
      return account;
    });
  }

  function updateKey(action: string, id: number, changesOf: (old: ListedKey) => Fields) {
    return database.transaction(async (sql) => {
      const old = await lockKey(sql, id);
      await update(sql, 'api_keys', id, changesOf(old));
      const key = await findKey(sql, id);
      await audit.record(sql, keyChange(action, old, key));
      return key;
    });
  }

  /** Locks its account, as every change does first: in another order, two could wait for each other. */
  async function lockKey(sql: Sql, id: number): Promise<ListedKey> {
    const account =
      'SELECT 1 FROM accounts WHERE id = (SELECT account_id FROM api_keys WHERE id = $1)';
    await sql.all(`${account} ${database.forUpdate}`, id);
    return await findKey(sql, id);
  }

  async function unlessTaken<T>(name: string, change: Promise<T>): Promise<T> {
    try {
      return await change;
    } catch (error) {
      if (!database.isViolation(error)) throw error;
      const [taken] = await database.all('SELECT 1 FROM accounts WHERE name = $1', name);
      throw taken ? accountExists(name) : error;
    }
  }

  /** The rows of a query that ends with the name of an id, in the order of their own ids. */
  async function allWithId<Row>(query: string, ids: readonly number[]): Promise<Row[]> {
    if (ids.length === 0) return [];
    const places = ids.map((_, index) => `$${index + 1}`);
    return await database.all(`${query} IN (${places}) ORDER BY 1`, ...ids);
  }

  /** Nobody reads it any more. If the process is killed, `finishRemovals` deletes the rest. */
  async function deleteHistory(accountId: number): Promise<void> {
    const slice = () => database.transaction((sql) => sql.all(DELETE_SOME_PERIODS, accountId));
    let deleted: unknown[];
    do deleted = await inSlice('write', slice);
    while (deleted.length > 0);
  }

  return {
    async listAccounts(afterId = 0, limit = Number.MAX_SAFE_INTEGER) {
      const select = `${SELECT_ACCOUNTS} WHERE id > $1 ORDER BY id LIMIT $2`;
      return (await database.report<AccountRow>(select, afterId, limit)).map(toAccount);
    },

    getAccount: (name) => findAccount(database, 'name', name),

    async getAccounts(ids) {
      return (await allWithId<AccountRow>(`${SELECT_ACCOUNTS} WHERE id`, ids)).map(toAccount);
    },

    createAccount({ name, plan, limits, nowMs, firstKey }) {
      const row = { name, plan, ...limitsToStore(plan, limits), createdAtMs: nowMs };
      const created = database.transaction(async (sql) => {
        await insert(sql, 'accounts', [row]);
        const account = await findAccount(sql, 'name', name);
        const key = firstKey && (await insertKey(sql, account.id, { ...firstKey, nowMs }));
        await audit.record(sql, accountChange('account.create', undefined, account, key));
        return { ...account, firstKey: key };
      });
      return unlessTaken(name, created);
    },

    setPlan: (name, plan, limits) =>
      updateAccount('account.set-plan', name, () => ({ plan, ...limitsToStore(plan, limits) })),

    suspendAccount: (name, { reason, nowMs }) =>
      updateAccount('account.suspend', name, (old) => ({
        suspendedAtMs: old.suspendedAtMs ?? nowMs,
        suspensionReason: reason ?? old.suspensionReason,
      })),

    resumeAccount: (name) =>
      updateAccount('account.resume', name, () => ({ suspendedAtMs: null, suspensionReason: '' })),

    async renameAccount(name, newName) {
      if (name === newName) throw accountExists((await findAccount(database, 'name', name)).name);
      return await unlessTaken(
        newName,
        updateAccount('account.rename', name, () => ({ name: newName })),
      );
    },

    async removeAccount(name, onDeletionFailed) {
      const account = await database.transaction(async (sql) => {
        // With its keys. Usage that arrives from now on is dropped.
        const remove = `DELETE FROM accounts WHERE name = $1 RETURNING ${ACCOUNT_COLUMNS}`;
        const [row] = await sql.all<AccountRow>(remove, name);
        if (row === undefined) throw unknownAccount(name);
        const removed = toAccount(row);
        await sql.all('DELETE FROM key_uses WHERE account_id = $1', removed.id);
        await audit.record(sql, accountChange('account.remove', removed, undefined));
        return removed;
      });
      const deletion = deleteHistory(account.id);
      if (onDeletionFailed === undefined) await deletion;
      else deletion.catch(onDeletionFailed);
      return account;
    },

    async finishRemovals() {
      const accounts = await database.report<{ id: number }>(SELECT_HALF_REMOVED);
      for (const { id } of accounts) await deleteHistory(id);
    },

    async listKeys(accountName) {
      if (accountName === undefined) {
        return await database.all(`${SELECT_LISTED_KEYS} ORDER BY k.id`);
      }
      const { id } = await findAccount(database, 'name', accountName);
      return await allWithId(KEYS_OF, [id]);
    },

    listKeysOf: (accountIds) => allWithId(KEYS_OF, accountIds),

    getKey: (id) => findKey(database, id),

    findKey: async (secret) => findByHash(database, hashSecret(parseSecret(secret))),

    createKey({ accountName, ...newKey }) {
      return database.transaction(async (sql) => {
        const { id } = await findAccount(sql, 'name', accountName, database.forUpdate);
        const key = await insertKey(sql, id, newKey);
        await audit.record(sql, keyChange('key.create', undefined, key));
        return key;
      });
    },

    rotateKey(id, { overlapMs, ...newKey }) {
      return database.transaction(async (sql) => {
        const before = await lockKey(sql, id);
        const { accountId, label, scope } = before;
        const expiresAtMs = rotatedExpiry(before, newKey.nowMs, overlapMs);
        const successor = await insertKey(sql, accountId, { ...newKey, label, scope });
        await update(sql, 'api_keys', id, { expiresAtMs, successorId: successor.id });
        const old = await findKey(sql, id);
        await audit.record(sql, keyChange('key.rotate', before, old, successor));
        return { old, successor };
      });
    },

    updateKey: (id, changes) =>
      updateKey('key.update', id, (old) => changedKeyFields(old, changes)),

    revokeKey: (id, nowMs) =>
      updateKey('key.revoke', id, (old) => ({ revokedAtMs: old.revokedAtMs ?? nowMs })),

    unbanKey: (id, nowMs) => updateKey('key.unban', id, () => ({ unbannedAtMs: nowMs })),
  };
}

export async function findAccount(
  sql: Sql,
  column: 'name' | 'id',
  value: string | number,
  lock = '',
): Promise<Account> {
  const [row] = await sql.all<AccountRow>(`${SELECT_ACCOUNTS} WHERE ${column} = $1 ${lock}`, value);
  if (row === undefined) throw unknownAccount(`${value}`);
  return toAccount(row);
}

async function findKey(sql: Sql, id: number): Promise<ListedKey> {
  const [row] = await sql.all<ListedKey>(`${SELECT_LISTED_KEYS} WHERE k.id = $1`, id);
  if (row === undefined) throw unknownKey(id);
  return row;
}

async function findByHash(sql: Sql, hash: Uint8Array): Promise<ListedKey> {
  const [row] = await sql.all<ListedKey>(`${SELECT_LISTED_KEYS} WHERE k.hash = $1`, hash);
  if (row === undefined) throw new NotFoundError('This store does not have this key.');
  return row;
}

async function insertKey(
  sql: Sql,
  accountId: number,
  { secret, label, expiresAtMs, nowMs, scope = 'all' }: Omit<NewKey, 'accountName'>,
): Promise<ListedKey> {
  const hash = hashSecret(secret);
  const row = {
    accountId,
    hash,
    lastFour: secret.slice(-4),
    label,
    createdAtMs: nowMs,
    expiresAtMs,
    scope,
  };
  await insert(sql, 'api_keys', [row]);
  return await findByHash(sql, hash);
}
