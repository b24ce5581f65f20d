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
import type { Sql, SqlDatabase, Value } from './sql.ts';
import { ACCOUNT_COLUMNS, hashSecret, SELECT_ACCOUNTS, SELECT_LISTED_KEYS } from './tables.ts';

const KEYS_OF = `${SELECT_LISTED_KEYS} WHERE k.account_id`;

/**
 * Accounts and keys. A change reads the row before, writes, reads the row after and records both. All
 * rows are read before the commit: nothing that fails after it may hide the secret of a key.
 */
export function sqlAccounts(database: SqlDatabase, audit: AuditLog): AccountStore {
  function updateAccount(action: string, name: string, columns: string, ...values: Value[]) {
    return database.transaction(async (sql) => {
      const old = await findAccount(sql, name, database.forUpdate);
      const update = `UPDATE accounts SET ${columns} WHERE id = $1 RETURNING ${ACCOUNT_COLUMNS}`;
      const [row] = await sql.all<AccountRow>(update, old.id, ...values);
      const account = toAccount(row as AccountRow);
      await audit.record(sql, accountChange(action, old, account));
      return account;
    });
  }

  function updateKey(
    action: string,
    id: number,
    columns: string,
    valuesFor: (old: ListedKey) => Value[],
  ) {
    return database.transaction(async (sql) => {
      const old = await lockKey(sql, id);
      await sql.all(`UPDATE api_keys SET ${columns} WHERE id = $1`, id, ...valuesFor(old));
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

  /** The rows of a query that ends with the name of an id, in the order of their own ids. */
  async function allWithId<Row>(query: string, ids: readonly number[]): Promise<Row[]> {
    if (ids.length === 0) return [];
    const places = ids.map((_, index) => `$${index + 1}`);
    return await database.all(`${query} IN (${places}) ORDER BY 1`, ...ids);
  }

  return {
    async listAccounts(afterId = 0, limit = Number.MAX_SAFE_INTEGER) {
      const select = `${SELECT_ACCOUNTS} WHERE id > $1 ORDER BY id LIMIT $2`;
      return (await database.all<AccountRow>(select, afterId, limit)).map(toAccount);
    },

    getAccount: (name) => findAccount(database, name),

    async getAccounts(ids) {
      return (await allWithId<AccountRow>(`${SELECT_ACCOUNTS} WHERE id`, ids)).map(toAccount);
    },

    createAccount({ name, plan, limits, nowMs, firstKey }) {
      const { perMinute, perDay } = limitsToStore(plan, limits);
      return database.transaction(async (sql) => {
        const [row] = await sql.all<AccountRow>(
          `INSERT INTO accounts (name, plan, per_minute, per_day, created_at)
           VALUES ($1, $2, $3, $4, $5) ON CONFLICT (name) DO NOTHING RETURNING ${ACCOUNT_COLUMNS}`,
          name,
          plan,
          perMinute,
          perDay,
          nowMs,
        );
        if (row === undefined) throw accountExists(name);
        const account = toAccount(row);
        const key = firstKey && (await insertKey(sql, account.id, { ...firstKey, nowMs }));
        await audit.record(sql, accountChange('account.create', undefined, account, key));
        return account;
      });
    },

    setPlan(name, plan, limits) {
      const { perMinute, perDay } = limitsToStore(plan, limits);
      const columns = 'plan = $2, per_minute = $3, per_day = $4';
      return updateAccount('account.set-plan', name, columns, plan, perMinute, perDay);
    },

    suspendAccount(name, { reason, nowMs }) {
      const columns = `suspended_at = coalesce(suspended_at, $2),
        suspension_reason = coalesce($3, suspension_reason)`;
      return updateAccount('account.suspend', name, columns, nowMs, reason ?? null);
    },

    resumeAccount(name) {
      const columns = "suspended_at = NULL, suspension_reason = ''";
      return updateAccount('account.resume', name, columns);
    },

    async renameAccount(name, newName) {
      try {
        return await updateAccount('account.rename', name, 'name = $2', newName);
      } catch (error) {
        throw database.isViolation(error) ? accountExists(newName) : error;
      }
    },

    removeAccount(name) {
      // 100,000 periods take 150 ms, and a million would exceed the time limit of a request.
      return database.longTransaction(async (sql) => {
        // With its keys. Usage that arrives from now on is dropped.
        const remove = `DELETE FROM accounts WHERE name = $1 RETURNING ${ACCOUNT_COLUMNS}`;
        const [row] = await sql.all<AccountRow>(remove, name);
        if (row === undefined) throw unknownAccount(name);
        const account = toAccount(row);
        // Idempotency keys are left to their age.
        for (const table of ['usage_periods', 'key_uses']) {
          await sql.all(`DELETE FROM ${table} WHERE account_id = $1`, account.id);
        }
        await audit.record(sql, accountChange('account.remove', account, undefined));
        return account;
      });
    },

    async listKeys(accountName) {
      if (accountName === undefined) {
        return await database.all(`${SELECT_LISTED_KEYS} ORDER BY k.id`);
      }
      const { id } = await findAccount(database, accountName);
      return await allWithId(KEYS_OF, [id]);
    },

    listKeysOf: (accountIds) => allWithId(KEYS_OF, accountIds),

    getKey: (id) => findKey(database, id),

    async findKey(given) {
      const hash = hashSecret(parseSecret(given));
      const [key] = await database.all<ListedKey>(`${SELECT_LISTED_KEYS} WHERE k.hash = $1`, hash);
      if (key === undefined) throw new NotFoundError('This store does not have this key.');
      return key;
    },

    createKey({ accountName, ...newKey }) {
      return database.transaction(async (sql) => {
        const { id } = await findAccount(sql, accountName, database.forUpdate);
        const key = await insertKey(sql, id, newKey);
        await audit.record(sql, keyChange('key.create', undefined, key));
        return key;
      });
    },

    rotateKey(id, { overlapMs, ...newKey }) {
      return database.transaction(async (sql) => {
        const before = await lockKey(sql, id);
        const { accountId, label } = before;
        const oldExpiresAtMs = rotatedExpiry(before, newKey.nowMs, overlapMs);
        const successor = await insertKey(sql, accountId, { ...newKey, label });
        const update = 'UPDATE api_keys SET expires_at = $2, successor_id = $3 WHERE id = $1';
        await sql.all(update, id, oldExpiresAtMs, successor.id);
        const old = await findKey(sql, id);
        await audit.record(sql, keyChange('key.rotate', before, old, successor));
        return { old, successor };
      });
    },

    updateKey(id, changes) {
      return updateKey('key.update', id, 'label = $2, expires_at = $3', (old) => {
        const { label, expiresAtMs } = changedKeyFields(old, changes);
        return [label, expiresAtMs];
      });
    },

    revokeKey(id, nowMs) {
      const columns = 'revoked_at = coalesce(revoked_at, $2)';
      return updateKey('key.revoke', id, columns, () => [nowMs]);
    },

    unbanKey: (id, nowMs) => updateKey('key.unban', id, 'unbanned_at = $2', () => [nowMs]),
  };
}

async function findAccount(sql: Sql, name: string, lock = ''): Promise<Account> {
  const [row] = await sql.all<AccountRow>(`${SELECT_ACCOUNTS} WHERE name = $1 ${lock}`, name);
  if (row === undefined) throw unknownAccount(name);
  return toAccount(row);
}

async function findKey(sql: Sql, id: number): Promise<ListedKey> {
  const [row] = await sql.all<ListedKey>(`${SELECT_LISTED_KEYS} WHERE k.id = $1`, id);
  if (row === undefined) throw unknownKey(id);
  return row;
}

async function insertKey(
  sql: Sql,
  accountId: number,
  { secret, label, expiresAtMs, nowMs }: Omit<NewKey, 'accountName'>,
): Promise<ListedKey> {
  const [row] = await sql.all<{ id: number }>(
    `INSERT INTO api_keys (account_id, hash, last_four, label, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
    accountId,
    hashSecret(secret),
    secret.slice(-4),
    label,
    nowMs,
    expiresAtMs,
  );
  return await findKey(sql, (row as { id: number }).id);
}
