import { type Account, canBePartOfName } from '../../domain/account.ts';
import { type KeyChanges, rotation, updated } from '../../domain/api-key.ts';
import {
  type AccountPage,
  type AccountQuery,
  type AccountRow,
  type AccountStore,
  accountExists,
  type KeySuccessor,
  type ListedKey,
  type NewAccount,
  type NewKey,
  type Suspension,
  toAccount,
  unknownAccount,
  unknownKey,
} from '../../domain/operator/account-store.ts';
import { accountChange, keyChange } from '../../domain/operator/audit.ts';
import { type Limits, limitsToStore, PLAN_NAMES, type Plan } from '../../domain/plan.ts';
import type { AuditLog } from './audit.ts';
import { type Sql, type SqlDatabase, type Value, Values } from './sql.ts';
import { ACCOUNT_COLUMNS, hashSecret, SELECT_ACCOUNTS, SELECT_LISTED_KEYS } from './tables.ts';

/** The smallest plan first. The migrations have an index of it. */
export const PLAN_ORDER = `CASE plan ${PLAN_NAMES.map((plan, rank) => `WHEN '${plan}' THEN ${rank}`).join(' ')} END`;

/** In the order of the alphabet. The migrations have an index of it. */
const NAME_ORDER = 'lower(name)';

/** Ids are given in the order of creation. */
const ORDERS = { name: [NAME_ORDER], plan: [PLAN_ORDER, NAME_ORDER], created: [] };

/**
 * Accounts and keys. A change reads the row before, writes, reads the row after and records both. All
 * rows are read before the commit: nothing that fails after it may hide the secret of a key.
 */
export class SqlAccountStore implements AccountStore {
  readonly #database: SqlDatabase;
  readonly #audit: AuditLog;

  constructor(database: SqlDatabase, audit: AuditLog) {
    this.#database = database;
    this.#audit = audit;
  }

  async hasAccounts(): Promise<boolean> {
    return (await this.#database.all('SELECT 1 FROM accounts LIMIT 1')).length > 0;
  }

  async listAccounts(): Promise<Account[]> {
    const rows = await this.#database.all<AccountRow>(`${SELECT_ACCOUNTS} ORDER BY id`);
    return rows.map(toAccount);
  }

  async findAccounts(query: AccountQuery): Promise<AccountPage> {
    const { search, sort, descending, offset, limit } = query;
    if (search && !canBePartOfName(search)) return { total: 0, accounts: [] };
    const values = new Values();
    let where = '';
    if (search) {
      const [condition, value] = this.#database.nameContains(search, namePattern(search));
      values.add(value);
      where = `WHERE ${condition}`;
    }
    const [count] = await this.#database.all<{ total: number }>(
      `SELECT count(*) AS total FROM accounts ${where}`,
      ...values.list,
    );
    const direction = descending ? 'DESC' : 'ASC';
    const order = [...ORDERS[sort], 'id'].map((column) => `${column} ${direction}`);
    const page = `LIMIT ${values.add(limit)} OFFSET ${values.add(offset)}`;
    const rows = await this.#database.all<AccountRow>(
      `${SELECT_ACCOUNTS} ${where} ORDER BY ${order} ${page}`,
      ...values.list,
    );
    return { total: count?.total ?? 0, accounts: rows.map(toAccount) };
  }

  getAccount(name: string): Promise<Account> {
    return findAccount(this.#database, name);
  }

  async getAccounts(ids: readonly number[]): Promise<Account[]> {
    if (ids.length === 0) return [];
    const places = ids.map((_, index) => `$${index + 1}`);
    const select = `${SELECT_ACCOUNTS} WHERE id IN (${places})`;
    return (await this.#database.all<AccountRow>(select, ...ids)).map(toAccount);
  }

  createAccount({ name, plan, limits, nowMs, firstKey }: NewAccount): Promise<Account> {
    const { perMinute, perDay } = limitsToStore(plan, limits);
    return this.#database.transaction(async (sql) => {
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
      await this.#audit.record(sql, accountChange('account.create', undefined, account, key));
      return account;
    });
  }

  setPlan(name: string, plan: Plan, limits: Limits): Promise<Account> {
    const { perMinute, perDay } = limitsToStore(plan, limits);
    const columns = 'plan = $2, per_minute = $3, per_day = $4';
    return this.#updateAccount('account.set-plan', name, columns, plan, perMinute, perDay);
  }

  suspendAccount(name: string, { reason, nowMs }: Suspension): Promise<Account> {
    const columns = `suspended_at = coalesce(suspended_at, $2),
      suspension_reason = coalesce($3, suspension_reason)`;
    return this.#updateAccount('account.suspend', name, columns, nowMs, reason ?? null);
  }

  resumeAccount(name: string): Promise<Account> {
    const columns = "suspended_at = NULL, suspension_reason = ''";
    return this.#updateAccount('account.resume', name, columns);
  }

  async renameAccount(name: string, newName: string): Promise<Account> {
    if (name === newName) throw accountExists((await this.getAccount(name)).name);
    try {
      return await this.#updateAccount('account.rename', name, 'name = $2', newName);
    } catch (error) {
      throw this.#database.violated(error) === 'unique' ? accountExists(newName) : error;
    }
  }

  async listKeys(accountName?: string): Promise<ListedKey[]> {
    const all = `${SELECT_LISTED_KEYS} ORDER BY k.id`;
    if (accountName === undefined) return await this.#database.all(all);
    const { id } = await this.getAccount(accountName);
    return await this.#database.all(`${SELECT_LISTED_KEYS} WHERE a.id = $1 ORDER BY k.id`, id);
  }

  getKey(id: number): Promise<ListedKey> {
    return findKey(this.#database, id);
  }

  createKey({ accountName, ...newKey }: NewKey): Promise<ListedKey> {
    return this.#database.transaction(async (sql) => {
      const { id } = await findAccount(sql, accountName);
      const key = await insertKey(sql, id, newKey);
      await this.#audit.record(sql, keyChange('key.create', undefined, key));
      return key;
    });
  }

  rotateKey(id: number, { secret, overlapMs, nowMs }: KeySuccessor) {
    return this.#database.transaction(async (sql) => {
      const before = await findKey(sql, id, this.#database.forUpdate);
      const { oldExpiresAtMs, newExpiresAtMs: expiresAtMs } = rotation(before, nowMs, overlapMs);
      const newKey = { secret, label: before.label, expiresAtMs, nowMs };
      const successor = await insertKey(sql, before.accountId, newKey);
      const update = 'UPDATE api_keys SET expires_at = $2, successor_id = $3 WHERE id = $1';
      await sql.all(update, id, oldExpiresAtMs, successor.id);
      const old = await findKey(sql, id);
      await this.#audit.record(sql, keyChange('key.rotate', before, old, successor));
      return { old, successor };
    });
  }

  updateKey(id: number, changes: KeyChanges): Promise<ListedKey> {
    return this.#updateKey('key.update', id, 'label = $2, expires_at = $3', (old) => {
      const { label, expiresAtMs } = updated(old, changes);
      return [label, expiresAtMs];
    });
  }

  revokeKey(id: number, nowMs: number): Promise<ListedKey> {
    const columns = 'revoked_at = coalesce(revoked_at, $2)';
    return this.#updateKey('key.revoke', id, columns, () => [nowMs]);
  }

  unbanKey(id: number, nowMs: number): Promise<ListedKey> {
    return this.#updateKey('key.unban', id, 'unbanned_at = $2', () => [nowMs]);
  }

  #updateAccount(
    action: string,
    name: string,
    columns: string,
    ...values: Value[]
  ): Promise<Account> {
    return this.#database.transaction(async (sql) => {
      const old = await findAccount(sql, name, this.#database.forUpdate);
      const update = `UPDATE accounts SET ${columns} WHERE id = $1 RETURNING ${ACCOUNT_COLUMNS}`;
      const [row] = await sql.all<AccountRow>(update, old.id, ...values);
      const account = toAccount(row as AccountRow);
      await this.#audit.record(sql, accountChange(action, old, account));
      return account;
    });
  }

  #updateKey(
    action: string,
    id: number,
    columns: string,
    valuesFor: (old: ListedKey) => Value[],
  ): Promise<ListedKey> {
    return this.#database.transaction(async (sql) => {
      const old = await findKey(sql, id, this.#database.forUpdate);
      await sql.all(`UPDATE api_keys SET ${columns} WHERE id = $1`, id, ...valuesFor(old));
      const key = await findKey(sql, id);
      await this.#audit.record(sql, keyChange(action, old, key));
      return key;
    });
  }
}

async function findAccount(sql: Sql, name: string, lock = ''): Promise<Account> {
  const [row] = await sql.all<AccountRow>(`${SELECT_ACCOUNTS} WHERE name = $1 ${lock}`, name);
  if (row === undefined) throw unknownAccount(name);
  return toAccount(row);
}

async function findKey(sql: Sql, id: number, lock = ''): Promise<ListedKey> {
  const [row] = await sql.all<ListedKey>(`${SELECT_LISTED_KEYS} WHERE k.id = $1 ${lock}`, id);
  if (row === undefined) throw unknownKey(id);
  return row;
}

async function insertKey(
  sql: Sql,
  accountId: number,
  { secret, label, expiresAtMs, nowMs }: Omit<NewKey, 'accountName'>,
): Promise<ListedKey> {
  const [row] = await sql.all<{ id: number }>(
    `INSERT INTO api_keys (account_id, hash, label, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5) RETURNING id`,
    accountId,
    hashSecret(secret),
    label,
    nowMs,
    expiresAtMs,
  );
  return await findKey(sql, (row as { id: number }).id);
}

/**
 * Matches a part of an account name in letters of either case, both as GLOB and as a regular
 * expression. No character that a name can contain has a special meaning inside brackets.
 */
function namePattern(text: string): string {
  const classes = [...text].map((letter) => {
    const cases = [letter, letter.toLowerCase(), letter.toUpperCase()];
    // Some letters become two in the other case.
    const single = new Set(cases.filter((each) => [...each].length === 1));
    return `[${[...single].join('')}]`;
  });
  return classes.join('');
}
