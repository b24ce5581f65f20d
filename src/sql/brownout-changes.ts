import {
  type Brownout,
  brownoutChange,
  type NewBrownout,
  requireCancellable,
  requireNoOverlap,
} from '../domain/brownout.ts';
import { RECORD_FIELDS } from '../domain/transfer.ts';
import type { AuditLog } from './audit-log.ts';
import { query, type Statement, type Steps } from './steps.ts';
import { selectList, TABLES } from './tables.ts';

type ReadColumn = (column: string) => string;

/** Selects brownouts that are planned or active. */
export function selectCurrentBrownouts(nowMs: number, read?: ReadColumn): Statement {
  const where = 'WHERE cancelled_at IS NULL AND ends_at > $1';
  return { sql: `${selectFields(read)} ${where} ORDER BY starts_at`, values: [new Date(nowMs)] };
}

/** Selects all brownouts, in the order of their start. */
export function selectBrownouts(read?: ReadColumn): Statement {
  return { sql: `${selectFields(read)} ORDER BY starts_at, id`, values: [] };
}

/** Changes of brownouts by an operator. Nobody else may schedule one during the transaction. */
export class BrownoutChanges {
  readonly #audit: AuditLog;
  readonly #read: ReadColumn | undefined;

  constructor(audit: AuditLog, read?: ReadColumn) {
    this.#audit = audit;
    this.#read = read;
  }

  *schedule(brownout: NewBrownout): Steps<Brownout> {
    requireNoOverlap(brownout, yield* query<Brownout>(selectFields(this.#read)));
    const { operation, startsAtMs, endsAtMs, nowMs } = brownout;
    const [scheduled] = yield* query<Brownout>(
      `INSERT INTO ${TABLES.brownout} (operation, starts_at, ends_at, created_at)
       VALUES ($1, $2, $3, $4) RETURNING ${selectList(RECORD_FIELDS.brownout, this.#read)}`,
      ...[operation, new Date(startsAtMs), new Date(endsAtMs), new Date(nowMs)],
    );
    yield* this.#audit.record(brownoutChange(undefined, scheduled as Brownout));
    return scheduled as Brownout;
  }

  *cancel(id: number, nowMs: number): Steps<Brownout> {
    const [found] = yield* query<Brownout>(`${selectFields(this.#read)} WHERE id = $1`, id);
    const old = requireCancellable(found, id, nowMs);
    const update = `UPDATE ${TABLES.brownout} SET cancelled_at = $2 WHERE id = $1`;
    yield* query(update, id, new Date(nowMs));
    const cancelled = { ...old, cancelledAtMs: nowMs };
    yield* this.#audit.record(brownoutChange(old, cancelled));
    return cancelled;
  }
}

function selectFields(read?: ReadColumn): string {
  return `SELECT ${selectList(RECORD_FIELDS.brownout, read)} FROM ${TABLES.brownout}`;
}
