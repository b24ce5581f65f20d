import type { AuditReader, Change, Origin } from '../../domain/operator/audit.ts';
import { RECORD_FIELDS } from '../../domain/operator/transfer.ts';
import { type Sql, type SqlDatabase, selectList, Values } from './sql.ts';

const SELECT = `SELECT ${selectList(RECORD_FIELDS.auditEntry)} FROM audit`;
const INSERT = `INSERT INTO audit
  (created_at, action, subject, old_value, new_value, command, operator, account_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

/** Reads all entries, and writes those of one origin. */
export interface AuditLog extends AuditReader {
  /** In the transaction that makes the change. Writes nothing if nothing has changed. */
  record(sql: Sql, change: Change): Promise<void>;
}

export function auditLog(database: SqlDatabase, origin: Origin, now: () => number): AuditLog {
  return {
    async record(sql, { action, subject, oldValue, newValue, accountId }) {
      if (oldValue === newValue) return;
      const { command, operator } = origin;
      const what = [action, subject, oldValue, newValue];
      await sql.all(INSERT, now(), ...what, command, operator, accountId);
    },

    listChanges({ sinceMs, account, beforeId, limit }) {
      const values = new Values();
      const conditions: string[] = [];
      if (sinceMs !== undefined) conditions.push(`created_at >= ${values.add(sinceMs)}`);
      if (account !== undefined) {
        // The removal of an account recorded its name.
        const removed = `"name":${JSON.stringify(account)}`;
        conditions.push(`account_id IN (SELECT id FROM accounts WHERE name = ${values.add(account)}
          UNION SELECT account_id FROM audit WHERE action = 'account.remove'
            AND replace(old_value, ${values.add(removed)}, '') <> old_value)`);
      }
      if (beforeId !== undefined) conditions.push(`id < ${values.add(beforeId)}`);
      const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
      const most = limit === undefined ? '' : `LIMIT ${values.add(limit)}`;
      return database.all(`${SELECT} ${where} ORDER BY id DESC ${most}`, ...values.list);
    },
  };
}
