import type {
  AuditEntry,
  AuditFilter,
  AuditReader,
  Change,
  NewAuditEntry,
  Origin,
} from '../../domain/operator/audit.ts';
import { RECORD_FIELDS } from '../../domain/operator/transfer.ts';
import { query, type StepRunner, type Steps, type Value } from './steps.ts';
import { columnOf, selectList, TABLES } from './tables.ts';

const NEW_FIELDS = RECORD_FIELDS.auditEntry.filter((field) => field !== 'id');
const INSERT = `INSERT INTO ${TABLES.auditEntry} (${NEW_FIELDS.map(columnOf)})
  VALUES (${NEW_FIELDS.map((_, index) => `$${index + 1}`)})`;

/** Writes the entries of one origin. */
export class AuditLog {
  readonly #origin: Origin;
  readonly #now: () => number;

  constructor(origin: Origin, now: () => number) {
    this.#origin = origin;
    this.#now = now;
  }

  /** A step of the transaction that makes the change. Writes nothing if nothing has changed. */
  *record(change: Change): Steps<void> {
    if (change.oldValue === change.newValue) return;
    const { command, operator } = this.#origin;
    const entry: NewAuditEntry = { ...change, command, operator, createdAtMs: this.#now() };
    const values: Record<string, Value> = { ...entry };
    yield* query(INSERT, ...NEW_FIELDS.map((field) => values[field] ?? null));
  }
}

export function auditReader(runner: StepRunner): AuditReader {
  return {
    listChanges: async (filter) => [...(await runner.read(selectChanges(filter)))],
  };
}

function selectChanges({
  sinceMs,
  accountId,
  beforeId,
  limit,
}: AuditFilter): Steps<readonly AuditEntry[]> {
  const values: Value[] = [];
  const place = (value: Value): string => `$${values.push(value)}`;
  const conditions = [
    ...(sinceMs === undefined ? [] : [`created_at >= ${place(sinceMs)}`]),
    ...(accountId === undefined ? [] : [`account_id = ${place(accountId)}`]),
    ...(beforeId === undefined ? [] : [`id < ${place(beforeId)}`]),
  ];
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const most = limit === undefined ? '' : `LIMIT ${place(limit)}`;
  const columns = selectList(RECORD_FIELDS.auditEntry);
  const sql = `SELECT ${columns} FROM ${TABLES.auditEntry} ${where} ORDER BY id DESC ${most}`;
  return query(sql, ...values);
}
