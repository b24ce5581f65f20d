import type { Database } from 'bun:sqlite';
import type { NewAuditEntry } from '../domain/operator-pets.ts';

/** Call it in the transaction of the change. */
export function insertAuditEntry(database: Database, entry: NewAuditEntry): void {
  database
    .query<never, NewAuditEntry>(
      `INSERT INTO audit (created_at, action, subject, old_value, new_value, command)
       VALUES ($createdAtMs, $action, $subject, $oldValue, $newValue, $command)`,
    )
    .run(entry);
}
