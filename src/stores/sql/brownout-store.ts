import {
  type Brownout,
  type BrownoutReader,
  type BrownoutStore,
  brownoutChange,
  type NewBrownout,
  requireCancellable,
  requireNoOverlap,
} from '../../domain/brownout.ts';
import { RECORD_FIELDS } from '../../domain/operator/transfer.ts';
import type { AuditLog } from './audit-log.ts';
import { query, type StepRunner, type Steps } from './steps.ts';
import { selectList, TABLES } from './tables.ts';

interface BrownoutDialect {
  /** Reads a column as the type of its field. */
  readonly read?: (column: string) => string;
  /** Begins a change: operators who make changes at the same time must see each other's. */
  readonly lockTable?: string;
}

/** Brownouts in SQL. */
export class SqlBrownoutStore implements BrownoutStore, BrownoutReader {
  readonly #runner: StepRunner;
  readonly #audit: AuditLog;
  readonly #lockTable: string | undefined;
  readonly #columns: string;
  readonly #select: string;

  constructor(runner: StepRunner, audit: AuditLog, { read, lockTable }: BrownoutDialect = {}) {
    this.#runner = runner;
    this.#audit = audit;
    this.#lockTable = lockTable;
    this.#columns = selectList(RECORD_FIELDS.brownout, read);
    this.#select = `SELECT ${this.#columns} FROM ${TABLES.brownout}`;
  }

  async currentBrownouts(nowMs: number): Promise<Brownout[]> {
    const where = 'WHERE cancelled_at IS NULL AND ends_at > $1';
    const sql = `${this.#select} ${where} ORDER BY starts_at`;
    return [...(await this.#runner.read(query<Brownout>(sql, new Date(nowMs))))];
  }

  async listBrownouts(): Promise<Brownout[]> {
    const sql = `${this.#select} ORDER BY starts_at, id`;
    return [...(await this.#runner.read(query<Brownout>(sql)))];
  }

  scheduleBrownout(brownout: NewBrownout): Promise<Brownout> {
    return this.#runner.commit(this.#schedule(brownout));
  }

  cancelBrownout(id: number, nowMs: number): Promise<Brownout> {
    return this.#runner.commit(this.#cancel(id, nowMs));
  }

  *#schedule(brownout: NewBrownout): Steps<Brownout> {
    yield* this.#lock();
    requireNoOverlap(brownout, yield* query<Brownout>(this.#select));
    const { operation, startsAtMs, endsAtMs, nowMs } = brownout;
    const [scheduled] = yield* query<Brownout>(
      `INSERT INTO ${TABLES.brownout} (operation, starts_at, ends_at, created_at)
       VALUES ($1, $2, $3, $4) RETURNING ${this.#columns}`,
      ...[operation, new Date(startsAtMs), new Date(endsAtMs), new Date(nowMs)],
    );
    yield* this.#audit.record(brownoutChange(undefined, scheduled as Brownout));
    return scheduled as Brownout;
  }

  *#cancel(id: number, nowMs: number): Steps<Brownout> {
    yield* this.#lock();
    const [found] = yield* query<Brownout>(`${this.#select} WHERE id = $1`, id);
    const old = requireCancellable(found, id, nowMs);
    const update = `UPDATE ${TABLES.brownout} SET cancelled_at = $2 WHERE id = $1`;
    yield* query(update, id, new Date(nowMs));
    const cancelled = { ...old, cancelledAtMs: nowMs };
    yield* this.#audit.record(brownoutChange(old, cancelled));
    return cancelled;
  }

  *#lock(): Steps<void> {
    if (this.#lockTable !== undefined) yield* query(this.#lockTable);
  }
}
