import type { Account } from './account.ts';
import type { ApiKey } from './api-key.ts';
import type { Limits, Plan } from './plan.ts';

export interface NewAccount {
  readonly name: string;
  readonly plan: Plan;
  readonly limits: Limits;
  readonly nowMs: number;
  /** Made together with the account, or not at all. */
  readonly firstKey?: Pick<NewKey, 'label' | 'hash' | 'expiresAtMs'>;
}

export interface NewKey {
  readonly accountName: string;
  readonly label: string;
  readonly hash: Uint8Array;
  readonly expiresAtMs: number | null;
  readonly nowMs: number;
}

export interface KeySuccessor {
  readonly hash: Uint8Array;
  readonly overlapMs: number;
  readonly nowMs: number;
}

/** A key as an operator sees it. */
export interface ListedKey extends ApiKey {
  readonly accountName: string;
}

/**
 * What an operator does with accounts and keys. Throws `OperatorError` for an account or a key
 * that does not exist, and for a name that is taken.
 */
export interface AccountStore {
  hasAccounts(): Promise<boolean>;
  createAccount(account: NewAccount): Promise<Account>;
  listAccounts(): Promise<Account[]>;
  getAccount(name: string): Promise<Account>;
  setPlan(name: string, plan: Plan, limits: Limits): Promise<Account>;

  createKey(key: NewKey): Promise<ListedKey>;
  /** Of one account, or of all. */
  listKeys(accountName?: string): Promise<ListedKey[]>;
  /** Makes a key with this hash to follow the old one, which ends after the overlap. */
  rotateKey(id: number, successor: KeySuccessor): Promise<{ old: ListedKey; successor: ListedKey }>;
  /** Revoking twice keeps the first moment. */
  revokeKey(id: number, nowMs: number): Promise<ListedKey>;
  /** Lifts a ban and forgets what led to it. */
  unbanKey(id: number, nowMs: number): Promise<ListedKey>;
}
