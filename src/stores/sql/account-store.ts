import { type Account, canBePartOfName } from '../../domain/account.ts';
import type { KeyChanges } from '../../domain/api-key.ts';
import {
  type AccountPage,
  type AccountQuery,
  type AccountRow,
  type AccountStore,
  type KeySuccessor,
  type ListedKey,
  type NewAccount,
  type NewKey,
  type Suspension,
  toAccount,
  unknownAccount,
  unknownKey,
} from '../../domain/operator/account-store.ts';
import { type Limits, PLAN_NAMES, type Plan } from '../../domain/plan.ts';
import { AccountChanges } from './account-changes.ts';
import type { AuditLog } from './audit-log.ts';
import type { Dialect } from './dialect.ts';
import { query, type StepRunner, type Steps } from './steps.ts';
import { SELECT_ACCOUNTS, SELECT_LISTED_KEYS } from './tables.ts';

/** The smallest plan first. The migrations have an index of it. */
export const PLAN_ORDER = `CASE plan ${PLAN_NAMES.map((plan, rank) => `WHEN '${plan}' THEN ${rank}`).join(' ')} END`;

/** Accounts and keys in SQL. */
export class SqlAccountStore implements AccountStore {
  readonly #runner: StepRunner;
  readonly #changes: AccountChanges;
  readonly #dialect: Dialect;

  constructor(runner: StepRunner, audit: AuditLog, dialect: Dialect) {
    this.#runner = runner;
    this.#changes = new AccountChanges(audit, dialect);
    this.#dialect = dialect;
  }

  async hasAccounts(): Promise<boolean> {
    return (await this.#runner.read(query('SELECT 1 FROM accounts LIMIT 1'))).length > 0;
  }

  async listAccounts(): Promise<Account[]> {
    const rows = await this.#runner.read(query<AccountRow>(`${SELECT_ACCOUNTS} ORDER BY id`));
    return rows.map(toAccount);
  }

  findAccounts(accounts: AccountQuery): Promise<AccountPage> {
    return this.#runner.read(this.#findAccounts(accounts));
  }

  getAccount(name: string): Promise<Account> {
    return this.#runner.read(this.#account(name));
  }

  async getAccounts(ids: readonly number[]): Promise<Account[]> {
    if (ids.length === 0) return [];
    const places = ids.map((_, index) => `$${index + 1}`);
    const select = `${SELECT_ACCOUNTS} WHERE id IN (${places})`;
    return (await this.#runner.read(query<AccountRow>(select, ...ids))).map(toAccount);
  }

  createAccount(account: NewAccount): Promise<Account> {
    return this.#runner.commit(this.#changes.createAccount(account));
  }

  setPlan(name: string, plan: Plan, limits: Limits): Promise<Account> {
    return this.#runner.commit(this.#changes.setPlan(name, plan, limits));
  }

  suspendAccount(name: string, suspension: Suspension): Promise<Account> {
    return this.#runner.commit(this.#changes.suspendAccount(name, suspension));
  }

  resumeAccount(name: string): Promise<Account> {
    return this.#runner.commit(this.#changes.resumeAccount(name));
  }

  renameAccount(name: string, newName: string): Promise<Account> {
    return this.#runner.commit(this.#changes.renameAccount(name, newName));
  }

  createKey(key: NewKey): Promise<ListedKey> {
    return this.#runner.commit(this.#changes.createKey(key));
  }

  listKeys(accountName?: string): Promise<ListedKey[]> {
    return this.#runner.read(this.#listKeys(accountName));
  }

  async getKey(id: number): Promise<ListedKey> {
    const [row] = await this.#runner.read(
      query<ListedKey>(`${SELECT_LISTED_KEYS} WHERE k.id = $1`, id),
    );
    if (row === undefined) throw unknownKey(id);
    return row;
  }

  rotateKey(id: number, successor: KeySuccessor) {
    return this.#runner.commit(this.#changes.rotateKey(id, successor));
  }

  updateKey(id: number, changes: KeyChanges): Promise<ListedKey> {
    return this.#runner.commit(this.#changes.updateKey(id, changes));
  }

  revokeKey(id: number, nowMs: number): Promise<ListedKey> {
    return this.#runner.commit(this.#changes.revokeKey(id, nowMs));
  }

  unbanKey(id: number, nowMs: number): Promise<ListedKey> {
    return this.#runner.commit(this.#changes.unbanKey(id, nowMs));
  }

  *#account(name: string): Steps<Account> {
    const [row] = yield* query<AccountRow>(`${SELECT_ACCOUNTS} WHERE name = $1`, name);
    if (row === undefined) throw unknownAccount(name);
    return toAccount(row);
  }

  *#listKeys(accountName: string | undefined): Steps<ListedKey[]> {
    if (accountName === undefined)
      return [...(yield* query<ListedKey>(`${SELECT_LISTED_KEYS} ORDER BY k.id`))];
    const { id } = yield* this.#account(accountName);
    return [
      ...(yield* query<ListedKey>(`${SELECT_LISTED_KEYS} WHERE a.id = $1 ORDER BY k.id`, id)),
    ];
  }

  *#findAccounts({ search, sort, descending, offset, limit }: AccountQuery): Steps<AccountPage> {
    const { nameContains, nameOrder } = this.#dialect;
    if (search && !canBePartOfName(search)) return { total: 0, accounts: [] };
    const found = search ? nameContains(search) : undefined;
    const where = found === undefined ? '' : `WHERE ${found.condition}`;
    const values = found === undefined ? [] : [found.value];
    const [count] = yield* query<{ total: number }>(
      `SELECT CAST(count(*) AS integer) AS total FROM accounts ${where}`,
      ...values,
    );
    // Ids are given in the order of creation.
    const columns = { name: [nameOrder], plan: [PLAN_ORDER, nameOrder], created: [] }[sort];
    const order = [...columns, 'id'].map((column) => `${column} ${descending ? 'DESC' : 'ASC'}`);
    const page = `LIMIT $${values.length + 1} OFFSET $${values.length + 2}`;
    const rows = yield* query<AccountRow>(
      `${SELECT_ACCOUNTS} ${where} ORDER BY ${order} ${page}`,
      ...[...values, limit, offset],
    );
    return { total: count?.total ?? 0, accounts: rows.map(toAccount) };
  }
}
