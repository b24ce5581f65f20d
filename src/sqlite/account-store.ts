import type { Database } from 'bun:sqlite';
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
import { reading } from './database.ts';

interface AccountRow {
  id: number;
  name: string;
  plan: Plan;
  perMinute: number | null;
  perDay: number | null;
  createdAtMs: number;
}

interface KnownKeyRow extends ApiKey, Pick<AccountRow, 'plan' | 'perMinute' | 'perDay'> {
  accountName: string;
  accountCreatedAtMs: number;
}

const ACCOUNT_COLUMNS =
  'id, name, plan, per_minute AS perMinute, per_day AS perDay, created_at AS createdAtMs';

const KEY_COLUMNS = `k.id, k.account_id AS accountId, k.label, k.created_at AS createdAtMs,
  k.expires_at AS expiresAtMs, k.revoked_at AS revokedAtMs, k.unbanned_at AS unbannedAtMs,
  k.successor_id AS successorId`;

/** One statement for the key and its account. */
const KNOWN_KEY = `SELECT ${KEY_COLUMNS}, a.name AS accountName, a.plan,
  a.per_minute AS perMinute, a.per_day AS perDay, a.created_at AS accountCreatedAtMs
  FROM api_keys AS k JOIN accounts AS a ON a.id = k.account_id WHERE k.hash = ?`;

const LISTED_KEYS = `SELECT ${KEY_COLUMNS}, a.name AS accountName
  FROM api_keys AS k JOIN accounts AS a ON a.id = k.account_id`;

export class SqliteAccountStore implements AccountStore, KeyFinder {
  readonly #database: Database;
  readonly #onChange: () => void;
  readonly #knownKey;

  /** The database must return integers as numbers: ids of accounts and keys stay small. */
  constructor(database: Database, onChange: () => void = () => {}) {
    this.#database = database;
    this.#onChange = onChange;
    this.#knownKey = database.query<KnownKeyRow, [Uint8Array]>(KNOWN_KEY);
  }

  findKey(secret: string): KnownKey | undefined {
    if (!hasValidChecksum(secret)) return undefined;
    return reading(() => this.#readKey(hashSecret(secret)));
  }

  #readKey(hash: Uint8Array): KnownKey | undefined {
    const row = this.#knownKey.get(hash);
    if (row === null) return undefined;
    const { accountName: name, plan, perMinute, perDay, accountCreatedAtMs, ...key } = row;
    const limits = limitsFromStore(plan, perMinute, perDay);
    const account = { id: key.accountId, name, plan, limits, createdAtMs: accountCreatedAtMs };
    return toKnownKey(key, account);
  }

  async hasAccounts(): Promise<boolean> {
    return this.#database.query('SELECT 1 FROM accounts LIMIT 1').get() !== null;
  }

  async createAccount({ name, plan, limits, nowMs, firstKey }: NewAccount): Promise<Account> {
    const create = this.#database.transaction(() => {
      const inserted = this.#database
        .query<AccountRow, [string, Plan, number | null, number | null, number]>(
          `INSERT INTO accounts (name, plan, per_minute, per_day, created_at) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (name) DO NOTHING RETURNING ${ACCOUNT_COLUMNS}`,
        )
        .get(name, plan, ...limitsToStore(plan, limits), nowMs);
      if (inserted === null) throw accountExists(name);
      if (firstKey !== undefined) {
        const { hash, label, expiresAtMs } = firstKey;
        this.#insertKey(inserted.id, hash, label, nowMs, expiresAtMs);
      }
      return toAccount(inserted);
    });
    const account = create.immediate();
    this.#onChange();
    return account;
  }

  async listAccounts(): Promise<Account[]> {
    const query = `SELECT ${ACCOUNT_COLUMNS} FROM accounts ORDER BY id`;
    return this.#database.query<AccountRow, []>(query).all().map(toAccount);
  }

  async getAccount(name: string): Promise<Account> {
    const query = `SELECT ${ACCOUNT_COLUMNS} FROM accounts WHERE name = ?`;
    const row = this.#database.query<AccountRow, [string]>(query).get(name);
    if (row === null) throw unknownAccount(name);
    return toAccount(row);
  }

  async setPlan(name: string, plan: Plan, limits: Limits): Promise<Account> {
    this.#database
      .query('UPDATE accounts SET plan = ?, per_minute = ?, per_day = ? WHERE name = ?')
      .run(plan, ...limitsToStore(plan, limits), name);
    this.#onChange();
    return this.getAccount(name);
  }

  async createKey({ accountName, label, hash, expiresAtMs, nowMs }: NewKey): Promise<ListedKey> {
    const { id: accountId } = await this.getAccount(accountName);
    const id = this.#insertKey(accountId, hash, label, nowMs, expiresAtMs);
    this.#onChange();
    return this.#key(id);
  }

  async listKeys(accountName?: string): Promise<ListedKey[]> {
    if (accountName === undefined) {
      const query = `${LISTED_KEYS} ORDER BY k.id`;
      return this.#database.query<ListedKey, []>(query).all();
    }
    const { id } = await this.getAccount(accountName);
    const query = `${LISTED_KEYS} WHERE k.account_id = ? ORDER BY k.id`;
    return this.#database.query<ListedKey, [number]>(query).all(id);
  }

  async rotateKey(id: number, { hash, overlapMs, nowMs }: KeySuccessor) {
    const rotate = this.#database.transaction(() => {
      const key = this.#key(id);
      const { oldExpiresAtMs, newExpiresAtMs } = rotation(key, nowMs, overlapMs);
      const successorId = this.#insertKey(key.accountId, hash, key.label, nowMs, newExpiresAtMs);
      this.#database
        .query('UPDATE api_keys SET expires_at = ?, successor_id = ? WHERE id = ?')
        .run(oldExpiresAtMs, successorId, id);
      return successorId;
    });
    const successorId = rotate.immediate();
    this.#onChange();
    return { old: this.#key(id), successor: this.#key(successorId) };
  }

  async revokeKey(id: number, nowMs: number): Promise<ListedKey> {
    this.#database
      .query('UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?')
      .run(nowMs, id);
    this.#onChange();
    return this.#key(id);
  }

  async unbanKey(id: number, nowMs: number): Promise<ListedKey> {
    this.#database.query('UPDATE api_keys SET unbanned_at = ? WHERE id = ?').run(nowMs, id);
    this.#onChange();
    return this.#key(id);
  }

  #insertKey(
    accountId: number,
    hash: Uint8Array,
    label: string,
    createdAtMs: number,
    expiresAtMs: number | null,
  ): number {
    const { lastInsertRowid } = this.#database
      .query(
        `INSERT INTO api_keys (account_id, hash, label, created_at, expires_at)
         VALUES (?, ?, ?, ?, ?)`,
      )
      .run(accountId, hash, label, createdAtMs, expiresAtMs);
    return Number(lastInsertRowid);
  }

  #key(id: number): ListedKey {
    const query = `${LISTED_KEYS} WHERE k.id = ?`;
    const row = this.#database.query<ListedKey, [number]>(query).get(id);
    if (row === null) throw unknownKey(id);
    return row;
  }
}

function toAccount({ id, name, plan, perMinute, perDay, createdAtMs }: AccountRow): Account {
  return { id, name, plan, limits: limitsFromStore(plan, perMinute, perDay), createdAtMs };
}
