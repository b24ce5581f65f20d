import type { Database } from 'bun:sqlite';
import type { AuditEntry, AuditFilter, AuditReader } from '../domain/audit.ts';
import { selectChanges } from '../sql/audit-log.ts';
import { rowsOf } from './run-steps.ts';
import { reading } from './sqlite-errors.ts';

export class SqliteAudit implements AuditReader {
  readonly #database: Database;

  /** The database must return integers as numbers. */
  constructor(database: Database) {
    this.#database = database;
  }

  async listChanges(filter: AuditFilter): Promise<AuditEntry[]> {
    return reading(() => rowsOf(this.#database, selectChanges(filter)) as AuditEntry[]);
  }
}
