import type { SQL } from 'bun';
import type { Account } from '../domain/account.ts';
import {
  type AccountRow,
  type AccountStore,
  accountExists,
  fromKnownKeyRow,
  type KeySuccessor,
  type KnownKeyRow,
  type ListedKey,
  type NewAccount,
  type NewKey,
  type Suspension,
  toAccount,
  unknownAccount,
  unknownKey,
} from '../domain/account-store.ts';
import {
  type KeyChanges,
  type KeyFinder,
  type KnownKey,
  rotation,
  updated,
} from '../domain/api-key.ts';
import { hashSecret, hasValidChecksum } from '../domain/key-secret.ts';
import { type Limits, limitsToStore, type Plan } from '../domain/plan.ts';
import { accountQueries } from '../sql/tables.ts';
import { readColumn, toColumn } from './columns.ts';
import type { Pool } from './pool.ts';

const UNIQUE_VIOLATION = '23505';
const SELECT = accountQueries(readColumn);

export class PostgresAccountStore implements AccountStore, KeyFinder {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async findKey(secret: string): Promise<KnownKey | undefined> {
    if (!hasValidChecksum(secret)) return undefined;
    const query = `${SELECT.knownKey} WHERE k.hash = $1`;
    const [row] = await this.#pool.query<KnownKeyRow>(query, hashSecret(secret));
    return row && fromKnownKeyRow(row);
  }

  async hasAccounts(): Promise<boolean> {
    return (await this.#pool.query('SELECT 1 FROM accounts LIMIT 1')).length > 0;
  }

  async createAccount({ name, plan, limits, nowMs, firstKey }: NewAccount): Promise<Account> {
    const { perMinute, perDay } = limitsToStore(plan, limits);
    return this.#pool.ask((sql) =>
      sql.begin(async (transaction) => {
        const [row] =
          await transaction`INSERT INTO accounts (name, plan, per_minute, per_day, created_at)
            VALUES (${name}, ${plan}, ${perMinute}, ${perDay}, ${new Date(nowMs)})
            ON CONFLICT (name) DO NOTHING RETURNING id`;
        if (row === undefined) throw accountExists(name);
        if (firstKey !== undefined) await insertKey(transaction, row.id, { ...firstKey, nowMs });
        // Read before the commit: nothing that fails after it may hide the secret of the key.
        const query = `${SELECT.account} WHERE id = $1`;
        const [account] = await transaction.unsafe<[AccountRow]>(query, [row.id]);
        return toAccount(account);
      }),
    );
  }

  async listAccounts(): Promise<Account[]> {
    const rows = await this.#pool.query<AccountRow>(`${SELECT.account} ORDER BY id`);
    return rows.map(toAccount);
  }

  async getAccount(name: string): Promise<Account> {
    const [row] = await this.#pool.query<AccountRow>(`${SELECT.account} WHERE name = $1`, name);
    if (row === undefined) throw unknownAccount(name, await this.#names());
    return toAccount(row);
  }

  async setPlan(name: string, plan: Plan, limits: Limits): Promise<Account> {
    const { perMinute, perDay } = limitsToStore(plan, limits);
    const statement =
      'UPDATE accounts SET plan = $2, per_minute = $3, per_day = $4 WHERE name = $1';
    await this.#pool.query(statement, name, plan, perMinute, perDay);
    return this.getAccount(name);
  }

  async suspendAccount(name: string, { reason, nowMs }: Suspension): Promise<Account> {
    const statement = `UPDATE accounts SET suspended_at = coalesce(suspended_at, $2),
      suspension_reason = coalesce($3, suspension_reason) WHERE name = $1`;
    await this.#pool.query(statement, name, new Date(nowMs), reason ?? null);
    return this.getAccount(name);
  }

  async resumeAccount(name: string): Promise<Account> {
    const statement = `UPDATE accounts SET suspended_at = NULL, suspension_reason = ''
      WHERE name = $1`;
    await this.#pool.query(statement, name);
    return this.getAccount(name);
  }

  async renameAccount(name: string, newName: string): Promise<Account> {
    const { id } = await this.getAccount(name);
    if (newName === name) throw accountExists(newName);
    const statement = 'UPDATE accounts SET name = $2 WHERE id = $1';
    await this.#pool.query(statement, id, newName).catch((error) => {
      throw error.errno === UNIQUE_VIOLATION ? accountExists(newName) : error;
    });
    return this.getAccount(newName);
  }

  async createKey({ accountName, ...key }: NewKey): Promise<ListedKey> {
    const { id } = await this.getAccount(accountName);
    return this.getKey(await this.#pool.ask((sql) => insertKey(sql, id, key)));
  }

  async listKeys(accountName?: string): Promise<ListedKey[]> {
    if (accountName !== undefined) await this.getAccount(accountName);
    const query = `${SELECT.listedKey} WHERE $1::text IS NULL OR a.name = $1 ORDER BY k.id`;
    return this.#pool.query<ListedKey>(query, accountName ?? null);
  }

  async getKey(id: number): Promise<ListedKey> {
    const [row] = await this.#pool.query<ListedKey>(`${SELECT.listedKey} WHERE k.id = $1`, id);
    if (row === undefined) throw unknownKey(id);
    return row;
  }

  async rotateKey(id: number, { hash, overlapMs, nowMs }: KeySuccessor) {
    await this.getKey(id);
    const successorId = await this.#pool.ask((sql) =>
      sql.begin(async (transaction) => {
        const query = `${SELECT.listedKey} WHERE k.id = $1 FOR UPDATE OF k`;
        const [key]: [ListedKey] = await transaction.unsafe(query, [id]);
        const { oldExpiresAtMs, newExpiresAtMs: expiresAtMs } = rotation(key, nowMs, overlapMs);
        const successor = { hash, label: key.label, expiresAtMs, nowMs };
        const inserted = await insertKey(transaction, key.accountId, successor);
        await transaction`UPDATE api_keys
          SET expires_at = ${new Date(oldExpiresAtMs)}, successor_id = ${inserted}
          WHERE id = ${id}`;
        return inserted;
      }),
    );
    return { old: await this.getKey(id), successor: await this.getKey(successorId) };
  }

  async updateKey(id: number, changes: KeyChanges): Promise<ListedKey> {
    await this.#pool.ask((sql) =>
      sql.begin(async (transaction) => {
        const query = `${SELECT.listedKey} WHERE k.id = $1 FOR UPDATE OF k`;
        const [key]: (ListedKey | undefined)[] = await transaction.unsafe(query, [id]);
        if (key === undefined) throw unknownKey(id);
        const { label, expiresAtMs } = updated(key, changes);
        await transaction`UPDATE api_keys
          SET label = ${label}, expires_at = ${toColumn('expires_at', expiresAtMs)}
          WHERE id = ${id}`;
      }),
    );
    return this.getKey(id);
  }

  async revokeKey(id: number, nowMs: number): Promise<ListedKey> {
    const statement = 'UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1';
    await this.#pool.query(statement, id, new Date(nowMs));
    return this.getKey(id);
  }

  async unbanKey(id: number, nowMs: number): Promise<ListedKey> {
    const statement = 'UPDATE api_keys SET unbanned_at = $2 WHERE id = $1';
    await this.#pool.query(statement, id, new Date(nowMs));
    return this.getKey(id);
  }

  async #names(): Promise<string[]> {
    const rows = await this.#pool.query<{ name: string }>('SELECT name FROM accounts');
    return rows.map(({ name }) => name);
  }
}

async function insertKey(
  sql: SQL,
  accountId: number,
  { hash, label, expiresAtMs, nowMs }: Omit<NewKey, 'accountName'>,
): Promise<number> {
  const expiresAt = expiresAtMs === null ? null : new Date(expiresAtMs);
  const [row] = await sql`INSERT INTO api_keys (account_id, hash, label, created_at, expires_at)
    VALUES (${accountId}, ${hash}, ${label}, ${new Date(nowMs)}, ${expiresAt}) RETURNING id`;
  return row.id;
}
