import { OperatorError } from './error.ts';

/** Errors that a key can simulate: every request with it gets this response. */
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

/** The failure that a test key always gets. */
export type Simulation =
  | { readonly kind: SimulatedError }
  | { readonly kind: 'slow'; readonly seconds: number }
  /** The connection closes: before the request is served, or after its pet is committed. */
  | { readonly kind: 'drop' | 'drop-after-commit' }
  /** A share of the requests fails, with 503 or a lost response. */
  | { readonly kind: 'flaky'; readonly percent: number };

const MAX_SLOW_SECONDS = 60;

/** All that `--simulate` takes, in words. */
export const SIMULATION_FORMS =
  `one of ${SIMULATED_ERRORS.join(', ')}, slow:2s (up to ${MAX_SLOW_SECONDS}s), ` +
  'drop, drop-after-commit or flaky:30% (1% to 100%)';

/** Throws `OperatorError` for anything else than `--simulate` takes. */
export function parseSimulation(text: string): Simulation {
  const error = SIMULATED_ERRORS.find((code) => code === text);
  if (error !== undefined) return { kind: error };
  if (text === 'drop' || text === 'drop-after-commit') return { kind: text };
  const seconds = Number(/^slow:(\d{1,2}(?:\.\d{1,3})?)s$/.exec(text)?.[1]);
  if (seconds > 0 && seconds <= MAX_SLOW_SECONDS) return { kind: 'slow', seconds };
  const percent = Number(/^flaky:(\d{1,3})%$/.exec(text)?.[1]);
  if (percent >= 1 && percent <= 100) return { kind: 'flaky', percent };
  throw new OperatorError(`--simulate must be ${SIMULATION_FORMS}, not "${text}".`);
}

export function onlyOnStaging(what: string): OperatorError {
  return new OperatorError(
    `${what} works only on staging, but this store does not belong to staging. ` +
      'Name one that a service with STAGING=on has created, with --database or DATABASE_URL.',
  );
}

/** An export has no test clocks and simulations: a key that simulates would work after an import. */
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

/** The test clock of an account. Without one, its time is the real time. */
export interface TestClock {
  /** The time to which it was put last, or 0. */
  readonly putToMs: number;
  /** Test time minus real time, never negative. */
  readonly offsetMs: number;
  /**
   * Grows when the clock is reset. Requests of another epoch are not counted in this one. Production is
   * epoch 0, so that it does not share counts with staging, even if both have the same Redis.
   */
  readonly epoch: number;
}

export const NO_CLOCK: TestClock = { putToMs: 0, offsetMs: 0, epoch: 0 };
/** That of an account on staging before it moves its time. */
export const FIRST_CLOCK: TestClock = { ...NO_CLOCK, epoch: 1 };

export function subjectInEpoch(subject: string, epoch: number): string {
  return epoch === 0 ? subject : `${subject}#${epoch}`;
}

/** What a staging deployment knows about a key. */
export interface TestState {
  readonly clock: TestClock;
  readonly simulation: Simulation | undefined;
}

/** The clock after a request to move it. */
export interface ClockMove {
  readonly clock: TestClock;
  /** False if it would have gone back, and was left alone. */
  readonly isMoved: boolean;
}

/** What a staging deployment stores in addition. Throws `StoreUnavailableError`. */
export interface StagingStore {
  /**
   * Called when a service starts. The first start sets the environment of the store. Throws
   * `OperatorError` if the store belongs to the other, and changes nothing. Returns the store's id.
   */
  claim(isStaging: boolean): Promise<string>;
  findTestState(keyId: number, accountId: number): TestState | Promise<TestState>;
  /**
   * Puts the clock of an account to a time, from which it runs on. It never goes back; to put it
   * where it was put last leaves it alone. `now` removes the clock, and what happened in its future.
   */
  moveClock(accountId: number, to: number | 'now', nowMs: number): Promise<ClockMove>;
  /** Remembers who added a pet, for `StagingOperator.reset`. */
  addPet(accountId: number, petId: bigint): Promise<void>;
}

/** Finds the clock of an account. Production has none, so nothing is read. */
export type ClockFinder = (accountId: number) => Promise<TestClock>;

export const noClocks: ClockFinder = async () => NO_CLOCK;

export async function clocksOf(staging: StagingOperator): Promise<ClockFinder> {
  return (await staging.isStaging()) ? (accountId) => staging.findClock(accountId) : noClocks;
}

/** What a reset removed. */
export interface StagingReset {
  /** Pets that the account had added. */
  readonly pets: number;
}

/** Staging, for operators. */
export interface StagingOperator {
  /** True if the store belongs to a staging deployment. */
  isStaging(): Promise<boolean>;
  /** A random id, made with the store. A backup of the store has the same one. */
  readStoreId(): Promise<string>;
  findClock(accountId: number): Promise<TestClock>;
  /**
   * Removes the clock of an account, its counts, bans, idempotency keys and history, and the pets that
   * it added. Throws `OperatorError` for an unknown account and for a store of production. Audited.
   */
  reset(accountName: string, nowMs: number): Promise<StagingReset>;
}
