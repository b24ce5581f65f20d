import { OperatorError } from '../../domain/error.ts';
import { accountResetChange } from '../../domain/operator/audit.ts';
import {
  type ClockMove,
  FIRST_CLOCK,
  onlyOnStaging,
  parseSimulation,
  type StagingOperator,
  type StagingReset,
  type StagingStore,
  type TestClock,
  type TestState,
} from '../../domain/staging.ts';
import type { AuditLog } from './audit-log.ts';
import type { Dialect } from './dialect.ts';
import { query, type StepRunner, type Steps } from './steps.ts';
import { TABLES } from './tables.ts';
import { failUnknownAccount } from './unknown-account.ts';

const TABLES_OF_ACCOUNT = [TABLES.idempotencyKey, TABLES.usagePeriod, TABLES.keyUse];

/** JavaScript holds these milliseconds exactly as doubles. */
const CLOCK = `CAST(put_to_ms AS double precision) AS "putToMs",
  CAST(offset_ms AS double precision) AS "offsetMs", epoch`;

interface StoreRow {
  readonly id: string;
  /** Null until a service has used the store. */
  readonly environment: 'production' | 'staging' | null;
}

function* readStore(): Steps<StoreRow> {
  const [row] = yield* query<StoreRow>('SELECT id, environment FROM store');
  return row as StoreRow;
}

export function* belongsToStaging(): Steps<boolean> {
  return (yield* readStore()).environment === 'staging';
}

/** Test clocks, simulations and the environment of the store in SQL. */
export class SqlStagingStore implements StagingStore, StagingOperator {
  readonly #runner: StepRunner;
  readonly #audit: AuditLog;
  readonly #lock: Dialect['lock'];

  constructor(runner: StepRunner, audit: AuditLog, lock: Dialect['lock']) {
    this.#runner = runner;
    this.#audit = audit;
    this.#lock = lock;
  }

  async claim(isStaging: boolean): Promise<string> {
    let store = await this.#runner.read(readStore());
    // Only the first start writes: a command that imports pets, for one, may hold the lock for long.
    if (store.environment === null) store = await this.#runner.commit(this.#claim(isStaging));
    if ((store.environment === 'staging') === isStaging) return store.id;
    throw new OperatorError(
      isStaging
        ? 'STAGING is on, but this store belongs to production. Use another DATABASE_URL.'
        : 'This store belongs to staging. Set STAGING=on, or use another DATABASE_URL.',
    );
  }

  async isStaging(): Promise<boolean> {
    return await this.#runner.read(belongsToStaging());
  }

  async readStoreId(): Promise<string> {
    return (await this.#runner.read(readStore())).id;
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

  findClock(accountId: number): Promise<TestClock> {
    return this.#runner.read(this.#clock(accountId));
  }

  reset(accountName: string, nowMs: number): Promise<StagingReset> {
    return this.#runner.commit(this.#reset(accountName, nowMs));
  }

  *#claim(isStaging: boolean): Steps<StoreRow> {
    if (isStaging && (yield* query('SELECT 1 FROM accounts LIMIT 1')).length > 0) {
      throw new OperatorError(
        'STAGING is on, but this store has accounts of production. Use another DATABASE_URL.',
      );
    }
    const update = 'UPDATE store SET environment = $1 WHERE environment IS NULL';
    yield* query(update, isStaging ? 'staging' : 'production');
    // Another instance may have been faster.
    return yield* readStore();
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
    const started = yield* this.#startEpoch(accountId, clock, nowMs);
    const forget = 'DELETE FROM idempotency_keys WHERE account_id = $1 AND created_at > $2';
    yield* query(forget, accountId, new Date(nowMs));
    return { clock: started, isMoved: true };
  }

  *#reset(accountName: string, nowMs: number): Steps<StagingReset> {
    if (!(yield* belongsToStaging())) throw onlyOnStaging('"staging reset"');
    const select = 'SELECT id FROM accounts WHERE name = $1';
    const [account] = yield* query<{ id: number }>(select, accountName);
    if (account === undefined) return yield* failUnknownAccount(accountName);
    const { id } = account;
    yield* this.#startEpoch(id, yield* this.#lockedClock(id), nowMs);
    for (const table of TABLES_OF_ACCOUNT) {
      yield* query(`DELETE FROM ${table} WHERE account_id = $1`, id);
    }
    const added = 'pets WHERE id IN (SELECT pet_id FROM test_pets WHERE account_id = $1)';
    const count = `SELECT CAST(count(*) AS integer) AS pets FROM ${added}`;
    const [{ pets } = { pets: 0 }] = yield* query<{ pets: number }>(count, id);
    yield* query(`DELETE FROM ${added}`, id);
    yield* query('DELETE FROM test_pets WHERE account_id = $1', id);
    yield* this.#audit.record(accountResetChange(id, accountName, pets));
    return { pets };
  }

  /** Back to the real time, without counts and bans. */
  *#startEpoch(accountId: number, { epoch }: TestClock, nowMs: number): Steps<TestClock> {
    const clock = { ...FIRST_CLOCK, epoch: epoch + 1 };
    const update =
      'UPDATE test_clocks SET put_to_ms = 0, offset_ms = 0, epoch = $2 WHERE account_id = $1';
    yield* query(update, accountId, clock.epoch);
    const unban = 'UPDATE api_keys SET unbanned_at = $2 WHERE account_id = $1';
    yield* query(unban, accountId, new Date(nowMs));
    return clock;
  }

  /** Locked until the commit, so that two requests move the clock one after the other. */
  *#lockedClock(accountId: number): Steps<TestClock> {
    const insert = `INSERT INTO test_clocks (account_id, put_to_ms, offset_ms, epoch)
      VALUES ($1, 0, 0, $2) ON CONFLICT (account_id) DO NOTHING`;
    yield* query(insert, accountId, FIRST_CLOCK.epoch);
    return yield* this.#clock(accountId, this.#lock);
  }

  *#clock(accountId: number, lock: Dialect['lock'] = ''): Steps<TestClock> {
    const select = `SELECT ${CLOCK} FROM test_clocks WHERE account_id = $1 ${lock}`;
    const [clock = FIRST_CLOCK] = yield* query<TestClock>(select, accountId);
    return clock;
  }
}
