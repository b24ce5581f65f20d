import { OperatorError } from './error.ts';

export type Environment = 'production' | 'staging';

/** Errors that a test key gets on demand, each the same as the real one. */
export const SIMULATED_ERRORS = [
  'rate_limit_minute',
  'rate_limit_day',
  'api_key_banned',
  'expired_api_key',
  'revoked_api_key',
  'service_unavailable',
  'internal_error',
  'operation_removed',
] as const;

type SimulatedError = (typeof SIMULATED_ERRORS)[number];

/** What a request with a test key asks for, by a name after the key and `~`. */
export type Failure =
  | { readonly kind: SimulatedError }
  | { readonly kind: 'slow'; readonly seconds: number }
  /** The connection closes: before the request is served, or after its pet is committed. */
  | { readonly kind: 'drop' | 'drop-after-commit' }
  /** A share of the requests fails, with 503 or a lost response. */
  | { readonly kind: 'flaky'; readonly percent: number };

const MAX_SLOW_SECONDS = 10;

/** All names of failures, in words. */
export const FAILURE_FORMS =
  `one of ${SIMULATED_ERRORS.join(', ')}, slow-2s (up to ${MAX_SLOW_SECONDS}s), ` +
  'drop, drop-after-commit or flaky-30 (1 to 100 percent)';

/** Undefined for any other name. */
export function parseFailure(name: string): Failure | undefined {
  const error = SIMULATED_ERRORS.find((code) => code === name);
  if (error !== undefined) return { kind: error };
  if (name === 'drop' || name === 'drop-after-commit') return { kind: name };
  const seconds = Number(/^slow-(\d{1,2}(?:\.\d{1,3})?)s$/.exec(name)?.[1]);
  if (seconds > 0 && seconds <= MAX_SLOW_SECONDS) return { kind: 'slow', seconds };
  const percent = Number(/^flaky-(\d{1,3})$/.exec(name)?.[1]);
  return percent >= 1 && percent <= 100 ? { kind: 'flaky', percent } : undefined;
}

export function onlyOnStaging(what: string): OperatorError {
  return new OperatorError(
    `${what} works only on staging, but this store does not belong to staging. ` +
      'Name one that a service with STAGING=on has created, with --database or DATABASE_URL.',
  );
}

export function notExported(): OperatorError {
  return new OperatorError(
    'A staging store cannot be exported. To copy it, make a backup; to copy only pets, use "pets export".',
  );
}

/** The keys of an export begin with the prefix of production. */
export function notImported(): OperatorError {
  return new OperatorError(
    'The store to import into belongs to staging, which would refuse the keys of an export. ' +
      'To copy pets, use "pets import". Nothing was changed.',
  );
}

/** The environment of a store, and the test clocks of its accounts. Throws `StoreUnavailableError`. */
export interface StagingStore {
  /**
   * Called when a service starts. The first start sets the environment of the store. Throws
   * `OperatorError` if the store belongs to the other, and changes nothing. Returns the store's id.
   */
  claim(environment: Environment): Promise<string>;
  /** Puts the clock of an account to a time, from which it runs on. False if the clock is past it. */
  putClock(accountId: number, toMs: number, nowMs: number): Promise<boolean>;
  /** Clears the clock of an account, its counts, bans and idempotency keys. */
  resetAccount(accountId: number, nowMs: number): Promise<void>;
}

/** The same, for operators. */
export interface StagingOperator {
  /** True if the store belongs to a staging deployment. */
  isStaging(): Promise<boolean>;
  /** A random id, made with the store. A backup of the store has the same one. */
  readStoreId(): Promise<string>;
  /** Throws `OperatorError` for an unknown account and for a store of production. Audited. */
  reset(accountName: string, nowMs: number): Promise<void>;
}
