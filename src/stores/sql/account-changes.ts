import type { Account } from '../../domain/account.ts';
import { type KeyChanges, rotation, updated } from '../../domain/api-key.ts';
import {
  type AccountRow,
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
import { type Limits, limitsToStore, type Plan } from '../../domain/plan.ts';
import type { AuditLog } from './audit-log.ts';
import type { Dialect } from './dialect.ts';
import { query, type Steps, type Value } from './steps.ts';
import { ACCOUNT_COLUMNS, hashSecret, SELECT_ACCOUNTS, SELECT_LISTED_KEYS } from './tables.ts';

/**
 * Changes of accounts and keys: the row before, the write, the row after and the entry of the audit.
 * All rows are read before the commit: nothing that fails after it may hide the secret of a key.
 */
export class AccountChanges {
  readonly #audit: AuditLog;
  readonly #lock: string;

  constructor(audit: AuditLog, { lock }: Dialect) {
    this.#audit = audit;
    this.#lock = lock;
  }

  *createAccount({ name, plan, limits, nowMs, firstKey }: NewAccount): Steps<Account> {
    const { perMinute, perDay } = limitsToStore(plan, limits);
    const [row] = yield* query<AccountRow>(
      `INSERT INTO accounts (name, plan, per_minute, per_day, created_at)
       VALUES ($1, $2, $3, $4, $5) ON CONFLICT (name) DO NOTHING RETURNING ${ACCOUNT_COLUMNS}`,
      ...[name, plan, perMinute, perDay, nowMs],
    );
    if (row === undefined) throw accountExists(name);
    const key = firstKey && (yield* this.#insertKey(row.id, { ...firstKey, nowMs }));
    const account = toAccount(row);
    yield* this.#audit.record(accountChange('account.create', undefined, account, key));
    return account;
  }

  setPlan(name: string, plan: Plan, limits: Limits): Steps<Account> {
    const { perMinute, perDay } = limitsToStore(plan, limits);
    const columns = 'plan = $2, per_minute = $3, per_day = $4';
    return this.#updateAccount('account.set-plan', name, columns, plan, perMinute, perDay);
  }

  suspendAccount(name: string, { reason, nowMs }: Suspension): Steps<Account> {
    const columns = `suspended_at = coalesce(suspended_at, $2),
      suspension_reason = coalesce($3, suspension_reason)`;
    return this.#updateAccount('account.suspend', name, columns, nowMs, reason ?? null);
  }

  resumeAccount(name: string): Steps<Account> {
    const columns = "suspended_at = NULL, suspension_reason = ''";
    return this.#updateAccount('account.resume', name, columns);
  }

  *renameAccount(name: string, newName: string): Steps<Account> {
    yield* this.#account(name);
    const taken = yield* query('SELECT 1 FROM accounts WHERE name = $1', newName);
    if (taken.length > 0) throw accountExists(newName);
    return yield* this.#updateAccount('account.rename', name, 'name = $2', newName);
  }

  *createKey({ accountName, ...newKey }: NewKey): Steps<ListedKey> {
    const { id } = yield* this.#account(accountName);
    const key = yield* this.#insertKey(id, newKey);
    yield* this.#audit.record(keyChange('key.create', undefined, key));
    return key;
  }

  *rotateKey(id: number, { secret, overlapMs, nowMs }: KeySuccessor) {
    const before = yield* this.#key(id);
    const { oldExpiresAtMs, newExpiresAtMs: expiresAtMs } = rotation(before, nowMs, overlapMs);
    const newKey = { secret, label: before.label, expiresAtMs, nowMs };
    const successor = yield* this.#insertKey(before.accountId, newKey);
    yield* query(
      'UPDATE api_keys SET expires_at = $2, successor_id = $3 WHERE id = $1',
      ...[id, oldExpiresAtMs, successor.id],
    );
    const old = yield* this.#key(id);
    yield* this.#audit.record(keyChange('key.rotate', before, old, successor));
    return { old, successor };
  }

  *updateKey(id: number, changes: KeyChanges): Steps<ListedKey> {
    const { label, expiresAtMs } = updated(yield* this.#key(id), changes);
    return yield* this.#updateKey(
      'key.update',
      id,
      'label = $2, expires_at = $3',
      label,
      expiresAtMs,
    );
  }

  revokeKey(id: number, nowMs: number): Steps<ListedKey> {
    const columns = 'revoked_at = coalesce(revoked_at, $2)';
    return this.#updateKey('key.revoke', id, columns, nowMs);
  }

  unbanKey(id: number, nowMs: number): Steps<ListedKey> {
    return this.#updateKey('key.unban', id, 'unbanned_at = $2', nowMs);
  }

  *#updateAccount(
    action: string,
    name: string,
    columns: string,
    ...values: Value[]
  ): Steps<Account> {
    const old = yield* this.#account(name);
    const statement = `UPDATE accounts SET ${columns} WHERE id = $1 RETURNING ${ACCOUNT_COLUMNS}`;
    const [row] = yield* query<AccountRow>(statement, old.id, ...values);
    const account = toAccount(row as AccountRow);
    yield* this.#audit.record(accountChange(action, old, account));
    return account;
  }

  *#updateKey(action: string, id: number, columns: string, ...values: Value[]): Steps<ListedKey> {
    const old = yield* this.#key(id);
    yield* query(`UPDATE api_keys SET ${columns} WHERE id = $1`, id, ...values);
    const key = yield* this.#key(id);
    yield* this.#audit.record(keyChange(action, old, key));
    return key;
  }

  *#insertKey(accountId: number, key: Omit<NewKey, 'accountName'>): Steps<ListedKey> {
    const { secret, label, expiresAtMs, nowMs } = key;
    const [row] = yield* query<{ id: number }>(
      `INSERT INTO api_keys (account_id, hash, label, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5) RETURNING id`,
      ...[accountId, hashSecret(secret), label, nowMs, expiresAtMs],
    );
    return yield* this.#key((row as { id: number }).id);
  }

  *#account(name: string): Steps<Account> {
    const statement = `${SELECT_ACCOUNTS} WHERE name = $1 ${this.#lock}`;
    const [row] = yield* query<AccountRow>(statement, name);
    if (row === undefined) throw unknownAccount(name);
    return toAccount(row);
  }

  *#key(id: number): Steps<ListedKey> {
    const lock = this.#lock && `${this.#lock} OF k`;
    const [row] = yield* query<ListedKey>(`${SELECT_LISTED_KEYS} WHERE k.id = $1 ${lock}`, id);
    if (row === undefined) throw unknownKey(id);
    return row;
  }
}
