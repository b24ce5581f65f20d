import type {
  AuditEntry,
  AuditFilter,
  AuditReader,
  Change,
  Origin,
} from '../../domain/operator/audit.ts';
import { RECORD_FIELDS } from '../../domain/operator/transfer.ts';
import { type Sql, type SqlDatabase, Values } from './sql.ts';
import { selectList } from './tables.ts';

const SELECT = `SELECT ${selectList(RECORD_FIELDS.auditEntry)} FROM audit`;
const INSERT = `INSERT INTO audit
  (created_at, action, subject, old_value, new_value, command, operator, account_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

/** Reads all entries, and writes those of one origin. */
export class AuditLog implements AuditReader {
  readonly #database: SqlDatabase;
  readonly #origin: Origin;
  readonly #now: () => number;

  constructor(database: SqlDatabase, origin: Origin, now: () => number) {
    this.#database = database;
    this.#origin = origin;
    this.#now = now;
  }

  /** In the transaction that makes the change. Writes nothing if nothing has changed. */
  async record(sql: Sql, change: Change): Promise<void> {
    const { action, subject, oldValue, newValue, accountId } = change;
    if (oldValue === newValue) return;
    const { command, operator } = this.#origin;
    const what = [action, subject, oldValue, newValue];
    await sql.all(INSERT, this.#now(), ...what, command, operator, accountId);
  }

  listChanges({ sinceMs, accountId, beforeId, limit }: AuditFilter): Promise<AuditEntry[]> {
    const values = new Values();
    const conditions: string[] = [];
    if (sinceMs !== undefined) conditions.push(`created_at >= ${values.add(sinceMs)}`);
    if (accountId !== undefined) conditions.push(`account_id = ${values.add(accountId)}`);
    if (beforeId !== undefined) conditions.push(`id < ${values.add(beforeId)}`);
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
    const most = limit === undefined ? '' : `LIMIT ${values.add(limit)}`;
    return this.#database.all(`${SELECT} ${where} ORDER BY id DESC ${most}`, ...values.list);
  }
}
