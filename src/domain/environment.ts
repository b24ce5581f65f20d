import { OperatorError } from './error.ts';

export type Environment = 'production' | 'staging';

export function onlyOnStaging(what: string): OperatorError {
  return new OperatorError(
    `${what} works only on staging, but this store does not belong to staging. ` +
      'Name one that a service with STAGING=on has created, with --database or DATABASE_URL.',
  );
}

/** The environment of a store, and the test clocks of its accounts. Throws `StoreUnavailableError`. */
export interface EnvironmentStore {
  /**
   * Called when a service starts. The first start sets the environment of the store. Throws
   * `OperatorError` if the store belongs to the other, and changes nothing. Returns the store's id.
   */
  set(environment: Environment): Promise<string>;
  read(): Promise<Environment>;
  /** A random id, made with the store. A backup of the store has the same one. */
  readStoreId(): Promise<string>;
  /** Puts the clock of an account to a time, from which it runs on. False if the clock is past it. */
  putClock(accountId: number, toMs: number, nowMs: number): Promise<boolean>;
  /** Clears the clock of an account, its counts, bans and idempotency keys. */
  resetAccount(accountId: number, nowMs: number): Promise<void>;
  /** The same by an operator. Throws `OperatorError` for an unknown account and in production. Audited. */
  reset(accountName: string, nowMs: number): Promise<void>;
}
