import { OperatorError } from '../domain/error.ts';
import {
  type ClockMove,
  parseSimulation,
  type StagingOperator,
  type StagingReset,
  type StagingStore,
  type TestClock,
  type TestState,
} from '../domain/staging.ts';
import type { AuditLog } from './audit-log.ts';
import type { Dialect } from './dialect.ts';
import { query, type StepRunner, type Steps } from './steps.ts';

const NO_CLOCK: TestClock = { putToMs: 0, offsetMs: 0, epoch: 0 };

/** JavaScript holds these milliseconds exactly as doubles. */
const CLOCK = `CAST(put_to_ms AS double precision) AS "putToMs",
  CAST(offset_ms AS double precision) AS "offsetMs", epoch`;

export function* belongsToStaging(): Steps<boolean> {
  return (yield* query("SELECT 1 FROM claims WHERE side = 'staging'")).length > 0;
}

/** Test clocks, simulations and claims in SQL. */
export class SqlStagingStore implements StagingStore, StagingOperator {
  readonly #runner: StepRunner;
  readonly #lock: Dialect['lock'];

  constructor(runner: StepRunner, _audit: AuditLog, lock: Dialect['lock']) {
    this.#runner = runner;
    this.#lock = lock;
  }

  claim(isStaging: boolean): Promise<void> {
    return this.#runner.commit(this.#claim(isStaging));
  }

  async isStaging(): Promise<boolean> {
    return await this.#runner.read(belongsToStaging());
  }

  findTestState(keyId: number, accountId: number): Promise<TestState> {
    return this.#runner.read(this.#testState(keyId, accountId));
  }

  moveClock(accountId: number, to: number | 'now', nowMs: number): Promise<ClockMove> {
    return this.#runner.commit(
      to === 'now' ? this.#removeClock(accountId, nowMs) : this.#putClock(accountId, to, nowMs),
    );
  }

  async addPet(accountId: number, petId: bigint): Promise<void> {
    const insert = `INSERT INTO test_pets (pet_id, account_id) VALUES ($1, $2)
      ON CONFLICT (pet_id) DO NOTHING`;
    await this.#runner.commit(query(insert, petId, accountId));
  }

  async reset(_accountName: string, _nowMs: number): Promise<StagingReset> {
    throw new OperatorError('Not built yet.');
  }

  *#claim(isStaging: boolean): Steps<void> {
    if ((yield* query('SELECT 1 FROM claims')).length === 0) {
      if (isStaging && (yield* query('SELECT 1 FROM accounts LIMIT 1')).length > 0) {
        throw new OperatorError(
          'STAGING is on, but this store has accounts of production. Use another DATABASE_URL.',
        );
      }
      const insert = 'INSERT INTO claims (id, side) VALUES (1, $1) ON CONFLICT (id) DO NOTHING';
      yield* query(insert, isStaging ? 'staging' : 'production');
    }
    // Another instance may have been faster.
    if ((yield* belongsToStaging()) === isStaging) return;
    throw new OperatorError(
      isStaging
        ? 'STAGING is on, but this store belongs to production. Use another DATABASE_URL.'
        : 'This store belongs to staging. Set STAGING=on, or use another DATABASE_URL.',
    );
  }

  *#testState(keyId: number, accountId: number): Steps<TestState> {
    const clock = yield* this.#clock(accountId);
    const [simulated] = yield* query<{ simulation: string }>(
      'SELECT simulation FROM test_keys WHERE key_id = $1',
      keyId,
    );
    return { clock, simulation: simulated && parseSimulation(simulated.simulation) };
  }

  *#putClock(accountId: number, toMs: number, nowMs: number): Steps<ClockMove> {
    const clock = yield* this.#lockedClock(accountId);
    if (clock.putToMs === toMs) return { clock, isMoved: true };
    const offsetMs = toMs - nowMs;
    if (offsetMs < clock.offsetMs) return { clock, isMoved: false };
    const update = 'UPDATE test_clocks SET put_to_ms = $2, offset_ms = $3 WHERE account_id = $1';
    yield* query(update, accountId, toMs, offsetMs);
    return { clock: { ...clock, putToMs: toMs, offsetMs }, isMoved: true };
  }

  *#removeClock(accountId: number, nowMs: number): Steps<ClockMove> {
    const clock = yield* this.#lockedClock(accountId);
    if (clock.offsetMs === 0) return { clock, isMoved: true };
    const epoch = clock.epoch + 1;
    const update =
      'UPDATE test_clocks SET put_to_ms = 0, offset_ms = 0, epoch = $2 WHERE account_id = $1';
    yield* query(update, accountId, epoch);
    const now = new Date(nowMs);
    yield* query('UPDATE api_keys SET unbanned_at = $2 WHERE account_id = $1', accountId, now);
    const forget = 'DELETE FROM idempotency_keys WHERE account_id = $1 AND created_at > $2';
    yield* query(forget, accountId, now);
    return { clock: { ...NO_CLOCK, epoch }, isMoved: true };
  }

  /** Locked until the commit, so that two requests move the clock one after the other. */
  *#lockedClock(accountId: number): Steps<TestClock> {
    const insert = `INSERT INTO test_clocks (account_id, put_to_ms, offset_ms, epoch)
      VALUES ($1, 0, 0, 0) ON CONFLICT (account_id) DO NOTHING`;
    yield* query(insert, accountId);
    return yield* this.#clock(accountId, this.#lock);
  }

  *#clock(accountId: number, lock: Dialect['lock'] = ''): Steps<TestClock> {
    const select = `SELECT ${CLOCK} FROM test_clocks WHERE account_id = $1 ${lock}`;
    const [clock = NO_CLOCK] = yield* query<TestClock>(select, accountId);
    return clock;
  }
}
