import type { Database } from 'bun:sqlite';
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
import { reading } from './sqlite-errors.ts';

type Values = Readonly<Record<string, string | number | Uint8Array | null>>;

const SELECT = accountQueries();

export class SqliteAccountStore implements AccountStore, KeyFinder {
  readonly #database: Database;
  readonly #onChange: () => void;
  readonly #knownKey;

  /** The database must return integers as numbers: ids of accounts and keys stay small. */
  constructor(database: Database, onChange: () => void = () => {}) {
    this.#database = database;
    this.#onChange = onChange;
    this.#knownKey = database.query<KnownKeyRow, [Uint8Array]>(
      `${SELECT.knownKey} WHERE k.hash = ?`,
    );
  }

  findKey(secret: string): KnownKey | undefined {
    if (!hasValidChecksum(secret)) return undefined;
    const row = reading(() => this.#knownKey.get(hashSecret(secret)));
    return row === null ? undefined : fromKnownKeyRow(row);
  }

  async hasAccounts(): Promise<boolean> {
    return this.#database.query('SELECT 1 FROM accounts LIMIT 1').get() !== null;
  }

  async createAccount({ name, plan, limits, nowMs, firstKey }: NewAccount): Promise<Account> {
    const create = this.#database.transaction(() => {
      if (this.#findAccount(name) !== null) throw accountExists(name);
      const id = this.#write(
        `INSERT INTO accounts (name, plan, per_minute, per_day, created_at)
         VALUES ($name, $plan, $perMinute, $perDay, $nowMs)`,
        { name, nowMs, ...limitsToStore(plan, limits) },
      );
      if (firstKey !== undefined) this.#insertKey(id, { ...firstKey, nowMs });
    });
    create.immediate();
    return this.getAccount(name);
  }

  async listAccounts(): Promise<Account[]> {
    const query = `${SELECT.account} ORDER BY id`;
    return this.#database.query<AccountRow, []>(query).all().map(toAccount);
  }

  async getAccount(name: string): Promise<Account> {
    const row = this.#findAccount(name);
    if (row === null) throw unknownAccount(name, this.#names());
    return toAccount(row);
  }

  async setPlan(name: string, plan: Plan, limits: Limits): Promise<Account> {
    this.#write(
      `UPDATE accounts SET plan = $plan, per_minute = $perMinute, per_day = $perDay
       WHERE name = $name`,
      { name, ...limitsToStore(plan, limits) },
    );
    return this.getAccount(name);
  }

  async suspendAccount(name: string, { reason, nowMs }: Suspension): Promise<Account> {
    this.#write(
      `UPDATE accounts SET suspended_at = coalesce(suspended_at, $nowMs),
       suspension_reason = coalesce($reason, suspension_reason) WHERE name = $name`,
      { name, reason: reason ?? null, nowMs },
    );
    return this.getAccount(name);
  }

  async resumeAccount(name: string): Promise<Account> {
    this.#write(
      `UPDATE accounts SET suspended_at = NULL, suspension_reason = '' WHERE name = $name`,
      { name },
    );
    return this.getAccount(name);
  }

  async renameAccount(name: string, newName: string): Promise<Account> {
    const rename = this.#database.transaction(() => {
      if (this.#findAccount(name) === null) throw unknownAccount(name, this.#names());
      if (this.#findAccount(newName) !== null) throw accountExists(newName);
      this.#write('UPDATE accounts SET name = $newName WHERE name = $name', { name, newName });
    });
    rename.immediate();
    return this.getAccount(newName);
  }

  async createKey({ accountName, ...key }: NewKey): Promise<ListedKey> {
    const { id } = await this.getAccount(accountName);
    return this.#key(this.#insertKey(id, key));
  }

  async listKeys(accountName?: string): Promise<ListedKey[]> {
    if (accountName !== undefined) await this.getAccount(accountName);
    const query = `${SELECT.listedKey} WHERE ?1 IS NULL OR a.name = ?1 ORDER BY k.id`;
    return this.#database.query<ListedKey, [string | null]>(query).all(accountName ?? null);
  }

  async getKey(id: number): Promise<ListedKey> {
    return this.#key(id);
  }

  async rotateKey(id: number, { hash, overlapMs, nowMs }: KeySuccessor) {
    const rotate = this.#database.transaction(() => {
      const key = this.#key(id);
      const { oldExpiresAtMs, newExpiresAtMs: expiresAtMs } = rotation(key, nowMs, overlapMs);
      const successor = { hash, label: key.label, expiresAtMs, nowMs };
      const successorId = this.#insertKey(key.accountId, successor);
      this.#write(
        'UPDATE api_keys SET expires_at = $oldExpiresAtMs, successor_id = $successorId WHERE id = $id',
        { oldExpiresAtMs, successorId, id },
      );
      return successorId;
    });
    const successorId = rotate.immediate();
    return { old: this.#key(id), successor: this.#key(successorId) };
  }

  async updateKey(id: number, changes: KeyChanges): Promise<ListedKey> {
    const update = this.#database.transaction(() => {
      const { label, expiresAtMs } = updated(this.#key(id), changes);
      this.#write('UPDATE api_keys SET label = $label, expires_at = $expiresAtMs WHERE id = $id', {
        id,
        label,
        expiresAtMs,
      });
    });
    update.immediate();
    return this.#key(id);
  }

  async revokeKey(id: number, nowMs: number): Promise<ListedKey> {
    const statement = `UPDATE api_keys SET revoked_at = coalesce(revoked_at, $nowMs) WHERE id = $id`;
    this.#write(statement, { id, nowMs });
    return this.#key(id);
  }

  async unbanKey(id: number, nowMs: number): Promise<ListedKey> {
    this.#write('UPDATE api_keys SET unbanned_at = $nowMs WHERE id = $id', { id, nowMs });
    return this.#key(id);
  }

  #insertKey(accountId: number, key: Omit<NewKey, 'accountName'>): number {
    return this.#write(
      `INSERT INTO api_keys (account_id, hash, label, created_at, expires_at)
       VALUES ($accountId, $hash, $label, $nowMs, $expiresAtMs)`,
      { accountId, ...key },
    );
  }

  #findAccount(name: string): AccountRow | null {
    return this.#database.query<AccountRow, [string]>(`${SELECT.account} WHERE name = ?`).get(name);
  }

  #names(): string[] {
    const rows = this.#database.query<{ name: string }, []>('SELECT name FROM accounts').all();
    return rows.map(({ name }) => name);
  }

  #key(id: number): ListedKey {
    const query = `${SELECT.listedKey} WHERE k.id = ?`;
    const row = this.#database.query<ListedKey, [number]>(query).get(id);
    if (row === null) throw unknownKey(id);
    return row;
  }

  /** Returns the id of an inserted row. */
  #write(statement: string, values: Values): number {
    const { lastInsertRowid } = this.#database.query<never, Values>(statement).run(values);
    this.#onChange();
    return Number(lastInsertRowid);
  }
}
