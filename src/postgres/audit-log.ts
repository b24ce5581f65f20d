import type { SQL } from 'bun';
import type { NewAuditEntry } from '../domain/operator-pets.ts';

/** Call it in the transaction of the change. */
export async function insertAuditEntry(sql: SQL, entry: NewAuditEntry): Promise<void> {
  const { createdAtMs, action, subject, oldValue, newValue, command } = entry;
  await sql`INSERT INTO audit (created_at, action, subject, old_value, new_value, command)
    VALUES (${new Date(createdAtMs)}, ${action}, ${subject}, ${oldValue}, ${newValue}, ${command})`;
}
