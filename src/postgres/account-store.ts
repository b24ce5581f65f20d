import type { SQL } from 'bun';
import type { Account } from '../domain/account.ts';
import {
  type AccountStore,
  accountExists,
  type KeySuccessor,
  type ListedKey,
  type NewAccount,
  type NewKey,
  unknownAccount,
  unknownKey,
} from '../domain/account-store.ts';
import {
  type ApiKey,
  type KeyFinder,
  type KnownKey,
  rotation,
  toKnownKey,
} from '../domain/api-key.ts';
import { hashSecret, hasValidChecksum } from '../domain/key-secret.ts';
import { type Limits, limitsFromStore, limitsToStore, type Plan } from '../domain/plan.ts';
import type { Pool } from './pool.ts';

interface AccountRow {
  readonly id: number;
  readonly name: string;
  readonly plan: Plan;
  readonly per_minute: number | null;
  readonly per_day: number | null;
  readonly created_at: Date;
}

interface KeyRow {
  readonly id: number;
  readonly account_id: number;
  readonly label: string;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly unbanned_at: Date;
  readonly successor_id: number | null;
}

type ListedKeyRow = KeyRow & { readonly account_name: string };
type KnownKeyRow = KeyRow & {
  readonly account_name: string;
  readonly plan: Plan;
  readonly per_minute: number | null;
  readonly per_day: number | null;
  readonly account_created_at: Date;
};

export class PostgresAccountStore implements AccountStore, KeyFinder {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async findKey(secret: string): Promise<KnownKey | undefined> {
    if (!hasValidChecksum(secret)) return undefined;
    const hash = hashSecret(secret);
    const [row] = await this.#pool.ask<KnownKeyRow[]>(
      (sql) => sql`SELECT k.*, a.name AS account_name, a.plan, a.per_minute, a.per_day,
          a.created_at AS account_created_at
        FROM api_keys AS k JOIN accounts AS a ON a.id = k.account_id WHERE k.hash = ${hash}`,
    );
    if (row === undefined) return undefined;
    const { account_id: id, account_name: name, account_created_at: created_at } = row;
    return toKnownKey(toKey(row), toAccount({ ...row, id, name, created_at }));
  }

  async hasAccounts(): Promise<boolean> {
    const [row] = await this.#pool.ask(
      (sql) => sql`SELECT EXISTS (SELECT 1 FROM accounts) AS some`,
    );
    return row.some;
  }

  async createAccount({ name, plan, limits, nowMs, firstKey }: NewAccount): Promise<Account> {
    const [perMinute, perDay] = limitsToStore(plan, limits);
    return this.#pool.ask((sql) =>
      sql.begin(async (transaction) => {
        const [row]: AccountRow[] =
          await transaction`INSERT INTO accounts (name, plan, per_minute, per_day, created_at)
            VALUES (${name}, ${plan}, ${perMinute}, ${perDay}, ${new Date(nowMs)})
            ON CONFLICT (name) DO NOTHING RETURNING *`;
        if (row === undefined) throw accountExists(name);
        if (firstKey !== undefined) await insertKey(transaction, { ...firstKey, nowMs }, row.id);
        return toAccount(row);
      }),
    );
  }

  async listAccounts(): Promise<Account[]> {
    const rows = await this.#pool.ask<AccountRow[]>(
      (sql) => sql`SELECT * FROM accounts ORDER BY id`,
    );
    return rows.map(toAccount);
  }

  async getAccount(name: string): Promise<Account> {
    const [row] = await this.#pool.ask<AccountRow[]>(
      (sql) => sql`SELECT * FROM accounts WHERE name = ${name}`,
    );
    if (row !== undefined) return toAccount(row);
    throw unknownAccount(name);
  }

  async setPlan(name: string, plan: Plan, limits: Limits): Promise<Account> {
    const [perMinute, perDay] = limitsToStore(plan, limits);
    await this.#pool.ask(
      (sql) => sql`UPDATE accounts
        SET plan = ${plan}, per_minute = ${perMinute}, per_day = ${perDay}
        WHERE name = ${name}`,
    );
    return this.getAccount(name);
  }

  async createKey(key: NewKey): Promise<ListedKey> {
    const { id } = await this.getAccount(key.accountName);
    return this.#key(await this.#pool.ask((sql) => insertKey(sql, key, id)));
  }

  async listKeys(accountName?: string): Promise<ListedKey[]> {
    if (accountName !== undefined) await this.getAccount(accountName);
    const rows = await this.#pool.ask<ListedKeyRow[]>(
      (sql) => sql`SELECT k.*, a.name AS account_name
        FROM api_keys AS k JOIN accounts AS a ON a.id = k.account_id
        WHERE ${accountName ?? null}::text IS NULL OR a.name = ${accountName ?? null}
        ORDER BY k.id`,
    );
    return rows.map(toListedKey);
  }

  async rotateKey(id: number, { hash, overlapMs, nowMs }: KeySuccessor) {
    await this.#key(id);
    const successorId = await this.#pool.ask((sql) =>
      sql.begin(async (transaction) => {
        const [row]: KeyRow[] =
          await transaction`SELECT * FROM api_keys WHERE id = ${id} FOR UPDATE`;
        const key = toKey(row as KeyRow);
        const { oldExpiresAtMs, newExpiresAtMs } = rotation(key, nowMs, overlapMs);
        const successor = { hash, label: key.label, expiresAtMs: newExpiresAtMs, nowMs };
        const inserted = await insertKey(transaction, successor, key.accountId);
        await transaction`UPDATE api_keys
          SET expires_at = ${new Date(oldExpiresAtMs)}, successor_id = ${inserted}
          WHERE id = ${id}`;
        return inserted;
      }),
    );
    return { old: await this.#key(id), successor: await this.#key(successorId) };
  }

  async revokeKey(id: number, nowMs: number): Promise<ListedKey> {
    await this.#pool.ask(
      (sql) => sql`UPDATE api_keys SET revoked_at = coalesce(revoked_at, ${new Date(nowMs)})
        WHERE id = ${id}`,
    );
    return this.#key(id);
  }

  async unbanKey(id: number, nowMs: number): Promise<ListedKey> {
    await this.#pool.ask(
      (sql) => sql`UPDATE api_keys SET unbanned_at = ${new Date(nowMs)} WHERE id = ${id}`,
    );
    return this.#key(id);
  }

  async #key(id: number): Promise<ListedKey> {
    const [row] = await this.#pool.ask<ListedKeyRow[]>(
      (sql) => sql`SELECT k.*, a.name AS account_name
        FROM api_keys AS k JOIN accounts AS a ON a.id = k.account_id WHERE k.id = ${id}`,
    );
    if (row !== undefined) return toListedKey(row);
    throw unknownKey(id);
  }
}

async function insertKey(
  sql: SQL,
  { hash, label, expiresAtMs, nowMs }: Omit<NewKey, 'accountName'>,
  accountId: number,
): Promise<number> {
  const expiresAt = expiresAtMs === null ? null : new Date(expiresAtMs);
  const [row] = await sql`INSERT INTO api_keys (account_id, hash, label, created_at, expires_at)
    VALUES (${accountId}, ${hash}, ${label}, ${new Date(nowMs)}, ${expiresAt}) RETURNING id`;
  return row.id;
}

function toAccount({ id, name, plan, per_minute, per_day, created_at }: AccountRow): Account {
  const limits = limitsFromStore(plan, per_minute, per_day);
  return { id, name, plan, limits, createdAtMs: created_at.getTime() };
}

function toKey(row: KeyRow): ApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    label: row.label,
    createdAtMs: row.created_at.getTime(),
    expiresAtMs: row.expires_at?.getTime() ?? null,
    revokedAtMs: row.revoked_at?.getTime() ?? null,
    unbannedAtMs: row.unbanned_at.getTime(),
    successorId: row.successor_id,
  };
}

function toListedKey(row: ListedKeyRow): ListedKey {
  return { ...toKey(row), accountName: row.account_name };
}
