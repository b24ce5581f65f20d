import {
  type Environment,
  onlyOnStaging,
  type StagingOperator,
  type StagingStore,
} from '../../domain/environment.ts';
import { OperatorError } from '../../domain/error.ts';
import { unknownAccount } from '../../domain/operator/account-store.ts';
import { accountResetChange } from '../../domain/operator/audit.ts';
import type { AuditLog } from './audit-log.ts';
import { query, type StepRunner, type Steps } from './steps.ts';
import { TABLES } from './tables.ts';

export function* belongsToStaging(): Steps<boolean> {
  return (yield* query("SELECT 1 FROM store WHERE environment = 'staging'")).length > 0;
}

/** The environment of a store and the test clocks of its accounts, in SQL. */
export class SqlStagingStore implements StagingStore, StagingOperator {
  readonly #runner: StepRunner;
  readonly #audit: AuditLog;

  constructor(runner: StepRunner, audit: AuditLog) {
    this.#runner = runner;
    this.#audit = audit;
  }

  async setEnvironment(environment: Environment): Promise<string> {
    const isStaging = environment === 'staging';
    // Only the first start writes: a command that imports pets, for one, may hold the lock for long.
    const unclaimed = query('SELECT 1 FROM store WHERE environment IS NULL');
    if ((await this.#runner.read(unclaimed)).length > 0) {
      await this.#runner.commit(this.#setEnvironment(environment));
    }
    // Another instance may have been faster.
    if ((await this.environment()) === environment) return await this.readStoreId();
    throw new OperatorError(
      isStaging
        ? 'STAGING is on, but this store belongs to production. Use another DATABASE_URL.'
        : 'This store belongs to staging. Set STAGING=on, or use another DATABASE_URL.',
    );
  }

  async environment(): Promise<Environment> {
    return (await this.#runner.read(belongsToStaging())) ? 'staging' : 'production';
  }

  async readStoreId(): Promise<string> {
    const [store] = await this.#runner.read(query<{ id: string }>('SELECT id FROM store'));
    return (store as { id: string }).id;
  }

  /** In one statement, so that of two requests the later time wins. */
  async putClock(accountId: number, toMs: number, nowMs: number): Promise<boolean> {
    const offsetMs = toMs - nowMs;
    const moved = await this.#runner.commit(
      query(
        `UPDATE accounts SET clock_put_to = $2,
           clock_offset = CASE WHEN clock_put_to = $2 THEN clock_offset ELSE $3 END
         WHERE id = $1 AND (clock_put_to = $2 OR clock_offset <= $3) RETURNING id`,
        ...[accountId, toMs, offsetMs],
      ),
    );
    return moved.length > 0;
  }

  resetAccount(accountId: number, nowMs: number): Promise<void> {
    return this.#runner.commit(this.#resetAccount(accountId, nowMs));
  }

  reset(accountName: string, nowMs: number): Promise<void> {
    return this.#runner.commit(this.#reset(accountName, nowMs));
  }

  *#setEnvironment(environment: Environment): Steps<void> {
    const hasAccounts = (yield* query('SELECT 1 FROM accounts LIMIT 1')).length > 0;
    if (environment === 'staging' && hasAccounts) {
      throw new OperatorError(
        'STAGING is on, but this store has accounts of production. Use another DATABASE_URL.',
      );
    }
    const update = 'UPDATE store SET environment = $1 WHERE environment IS NULL';
    yield* query(update, environment);
  }

  *#reset(accountName: string, nowMs: number): Steps<void> {
    if (!(yield* belongsToStaging())) throw onlyOnStaging('"staging reset"');
    const select = 'SELECT id FROM accounts WHERE name = $1';
    const [account] = yield* query<{ id: number }>(select, accountName);
    if (account === undefined) throw unknownAccount(accountName);
    yield* this.#resetAccount(account.id, nowMs);
    yield* this.#audit.record(accountResetChange(account.id, accountName));
  }

  *#resetAccount(accountId: number, nowMs: number): Steps<void> {
    yield* query(
      'UPDATE accounts SET clock_put_to = 0, clock_offset = 0, resets = resets + 1 WHERE id = $1',
      accountId,
    );
    const unban = 'UPDATE api_keys SET unbanned_at = $2 WHERE account_id = $1';
    yield* query(unban, accountId, nowMs);
    yield* query(`DELETE FROM ${TABLES.idempotencyKey} WHERE account_id = $1`, accountId);
  }
}
