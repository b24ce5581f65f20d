import { OperatorError } from './error.ts';

export type Environment = 'production' | 'staging';

export interface StoreFacts {
  /** The random id that the store got when it was created. A backup of the store has the same id. */
  readonly id: string;
  /** This is production until a service has used the store. */
  readonly environment: Environment;
}

export function onlyOnStaging(what: string): OperatorError {
  return new OperatorError(
    `${what} works only on staging, but this store does not belong to staging. ` +
      'Name one that a service with STAGING=on has created, with --database or DATABASE_URL.',
  );
}

/**
 * The environment of a store, and the test clocks of its accounts. Every method throws
 * `StoreUnavailableError` if the store cannot be used.
 */
export interface EnvironmentStore {
  /**
   * Called when a service starts. The first start sets the environment of the store for good. If the store
   * belongs to the other environment, this throws `OperatorError` and changes nothing. Returns the id of the
   * store.
   */
  set(environment: Environment): Promise<string>;
  read(): Promise<StoreFacts>;
  /**
   * Moves the clock of an account to a time, from which it continues. Returns false if the clock is already
   * past that time.
   */
  putClock(accountId: number, toMs: number, nowMs: number): Promise<boolean>;
  /** Sets the clock of an account back to real time, and clears its counts, bans and idempotency keys. */
  resetAccount(accountId: number, nowMs: number): Promise<void>;
  /**
   * Does the same on behalf of an operator, with an audit entry. Throws `OperatorError` for an unknown
   * account, and in production.
   */
  reset(accountName: string): Promise<void>;
}
