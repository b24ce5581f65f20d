import type { Account } from '#domain/account.ts';
import {
  type ApiKey,
  type KeyChanges,
  type KeyScope,
  keyState,
  stateForRequests,
} from '#domain/api-key.ts';
import { BAN_RULES } from '#domain/ban.ts';
import { DAY_MS } from '#domain/durations.ts';
import { AlreadyExistsError, NotFoundError } from '#domain/error.ts';
import { type Limits, limitsFromStore, type Plan, type StoredLimits } from '#domain/plan.ts';
import type { ShowProgress } from '#formats/progress.ts';

export interface NewAccount {
  readonly name: string;
  readonly plan: Plan;
  readonly limits: Limits;
  /** Created in the same transaction as the account. */
  readonly firstKey?: Omit<NewKey, 'accountName'> | undefined;
}

export interface NewKey {
  readonly accountName: string;
  readonly label: string;
  readonly secret: string;
  readonly expiresAtMs: number | null;
  /** The default is `all`. */
  readonly scope?: KeyScope | undefined;
}

interface KeySuccessor {
  readonly secret: string;
  readonly overlapMs: number;
  readonly expiresAtMs: number | null;
}

/** A key with its last uses, and with the name, the state and the test clock of its account. */
export interface ListedKey extends ApiKey, Pick<Account, 'clockOffsetMs' | 'resets'> {
  /** The times of the last requests with the key, which are null if there was none. */
  readonly acceptedAtMs: number | null;
  readonly refusedAtMs: number | null;
  /** The error code of the last refusal. */
  readonly refusal: string | null;
  readonly accountName: string;
  readonly accountSuspendedAtMs: number | null;
}

/** The states that a list of accounts can be narrowed to. */
export const ACCOUNT_STATES = {
  active: 'Active',
  suspended: 'Suspended',
  banned: 'With a banned key',
} as const;

/** Narrows a list of accounts. An empty text selects all. */
export interface AccountFilter {
  /** A text anywhere in the name. Case is ignored. */
  readonly search?: string;
  readonly plan?: string;
  readonly state?: string;
}

/** Returns whether an account matches. It ignores the state `banned`, which only the caller can look up. */
export function matchesFilter(
  { name, plan, suspendedAtMs }: Account,
  { search = '', plan: wantedPlan, state: wantedState }: AccountFilter,
): boolean {
  const state = suspendedAtMs === null ? 'active' : 'suspended';
  return (
    name.toLowerCase().includes(search.toLowerCase()) &&
    (!wantedPlan || plan === wantedPlan) &&
    (!wantedState || wantedState === 'banned' || state === wantedState)
  );
}

/** The keys that a list can be narrowed to. */
export const KEY_FILTERS = {
  banned: 'Banned',
  expiring: 'Expiring within 30 days',
  unused: 'Unused for 90 days',
  'read-only': 'Read-only',
  revoked: 'Revoked',
} as const;
export type KeyFilter = keyof typeof KEY_FILTERS;

/**
 * Each returns whether a key passes its filter. `nowMs` is the time on the clock of the account, by which a key expires.
 * The other times of a key are real.
 */
export const KEY_TESTS: Record<KeyFilter, (key: ListedKey, nowMs: number) => boolean> = {
  // Each ban begins with a refusal.
  banned: (key, nowMs) =>
    stateForRequests(key, nowMs) === 'active' &&
    (key.refusedAtMs ?? -Infinity) >=
      nowMs - key.clockOffsetMs - BAN_RULES.longestBanSeconds * 1000,
  expiring: (key, nowMs) =>
    keyState(key, nowMs) === 'active' && (key.expiresAtMs ?? Infinity) <= nowMs + 30 * DAY_MS,
  // A key that is younger than 90 days may not be in use yet.
  unused: (key, nowMs) =>
    keyState(key, nowMs) === 'active' &&
    Math.max(key.createdAtMs, key.acceptedAtMs ?? 0) < nowMs - key.clockOffsetMs - 90 * DAY_MS,
  'read-only': ({ scope }) => scope === 'read',
  revoked: ({ revokedAtMs }) => revokedAtMs !== null,
};

interface KeySearch {
  readonly accountId?: number | undefined;
  /**
   * Only the limiter knows which keys are banned. So `banned` selects the keys that were refused recently enough, which
   * the caller then looks up with `readBan`. The history, which knows this, is at most a minute behind.
   */
  readonly filter?: KeyFilter | undefined;
  /** Selects the next page: only keys with a greater id. */
  readonly afterId?: number | undefined;
}

/**
 * Accounts and keys, for operators. `sqlAccounts` implements this port for both databases. Every method throws
 * `OperatorError` for an unknown account or key, and for an account name that is already in use. Each change is
 * audited.
 */
export interface AccountStore {
  createAccount(
    account: NewAccount,
  ): Promise<Account & { readonly firstKey?: ListedKey | undefined }>;
  /** Returns all accounts, or one page of them, in the order of their ids. */
  listAccounts(afterId?: number, limit?: number): Promise<Account[]>;
  getAccount(name: string): Promise<Account>;
  /** Returns the accounts that exist, in the order of their ids. */
  getAccounts(ids: readonly number[]): Promise<Account[]>;
  setPlan(name: string, plan: Plan, limits: Limits): Promise<Account>;
  /** An account that is already suspended keeps the time and, without a new one, the reason of its suspension. */
  suspendAccount(name: string, reason?: string): Promise<Account>;
  resumeAccount(name: string): Promise<Account>;
  /** Keys, counts and bans stay with the account. */
  renameAccount(name: string, newName: string): Promise<Account>;
  /**
   * Removes an account with its keys. Its audit entries stay, and its id is never used again. Its usage history
   * is hidden from reports at once, and deleted by `finishRemovals`.
   */
  removeAccount(name: string): Promise<Account>;
  /** Deletes the usage history of all removed accounts. It may take minutes, and works in short slices. */
  finishRemovals(show?: ShowProgress): Promise<void>;
  createKey(key: NewKey): Promise<ListedKey>;
  /** Returns the keys of these accounts, or all keys. */
  listKeys(accountIds?: readonly number[]): Promise<ListedKey[]>;
  /** Returns keys in batches, in the order of their ids. Requests do not wait for a long search. */
  searchKeys(search: KeySearch): AsyncIterable<readonly ListedKey[]>;
  getKey(id: number): Promise<ListedKey>;
  /** Finds a key by its secret. Throws `OperatorError` for text that is not a key. */
  findKey(secret: string): Promise<ListedKey>;
  /** Creates a successor. The old key expires after the overlap. */
  rotateKey(id: number, successor: KeySuccessor): Promise<{ old: ListedKey; successor: ListedKey }>;
  /** Throws `OperatorError` for a new expiry of a revoked key. */
  updateKey(id: number, changes: KeyChanges): Promise<ListedKey>;
  /** A key that is already revoked keeps the time of its revocation. */
  revokeKey(id: number): Promise<ListedKey>;
  /** Lifts a ban and clears the strikes that led to it. */
  unbanKey(id: number): Promise<ListedKey>;
}

export function accountExists(name: string): AlreadyExistsError {
  return new AlreadyExistsError(`Account "${name}" already exists.`);
}

export function unknownAccount(name: string): NotFoundError {
  return new NotFoundError(
    `Account "${name}" does not exist.`,
    '"accounts list" shows all accounts.',
  );
}

export function unknownKey(id: number | string): NotFoundError {
  return new NotFoundError(`Key ${id} does not exist.`, '"keys list" shows all keys.');
}

/** An account as a store keeps it, with its limits in separate columns. */
export type AccountRow = Omit<Account, 'limits'> & StoredLimits;

export function toAccount(row: AccountRow): Account {
  const { perMinute: _, perDay: __, ...account } = row;
  return { ...account, limits: limitsFromStore(row) };
}
