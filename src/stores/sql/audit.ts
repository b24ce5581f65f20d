import type { AuditedChange, AuditReader, Origin } from '#domain/operator/audit.ts';
import { RECORD_FIELDS } from '#domain/operator/transfer.ts';
import { MAX_ID } from '#formats/int64.ts';
import { insert, type Sql, type SqlDatabase, selectList, Values } from './sql.ts';

const SELECT = `SELECT ${selectList(RECORD_FIELDS.auditEntry)} FROM audit`;
/** The ids of the account with this name, and of accounts that had it when they were removed. -1 keeps the list from being empty. */
const IDS_OF_NAME = `SELECT id FROM accounts WHERE name = $1
  UNION SELECT account_id FROM audit
    WHERE action = 'account.remove' AND replace(old_value, $2, '') <> old_value
  UNION SELECT -1`;

/** Reads the entries of all origins, and writes entries of one origin. */
export interface AuditLog extends AuditReader {
  /** Must be called in the transaction that makes the change. Writes nothing if nothing has changed. */
  record(sql: Sql, change: AuditedChange): Promise<void>;
}

export function auditLog(database: SqlDatabase, origin: Origin, now: () => number): AuditLog {
  return {
    async record(sql, change) {
      if (change.oldValue === change.newValue) return;
      await insert(sql, 'audit', [{ createdAtMs: now(), ...change, ...origin }]);
    },

    async listChanges({
      account,
      operator,
      action = '',
      sinceMs = 0,
      untilMs = Number.MAX_SAFE_INTEGER,
      beforeId = MAX_ID,
      limit = MAX_ID,
    }) {
      const values = new Values();
      const conditions = [
        `created_at BETWEEN ${values.add(sinceMs)} AND ${values.add(untilMs)}`,
        `id < ${values.add(beforeId)}`,
        `action LIKE ${values.add(`%${action.toLowerCase().replace(/[^a-z]+/g, '%')}%`)}`,
      ];
      if (operator !== undefined) conditions.push(`operator = ${values.add(operator)}`);
      if (account !== undefined) {
        const removed = `"name":${JSON.stringify(account)}`;
        const rows = await database.all<{ id: number }>(IDS_OF_NAME, account, removed);
        // This is a separate statement. In one statement, PostgreSQL could not know how few ids there are, and would
        // read the whole audit.
        conditions.push(`account_id IN (${rows.map(({ id }) => values.add(id))})`);
      }
      const select = `${SELECT} WHERE ${conditions.join(' AND ')}
        ORDER BY id DESC LIMIT ${values.add(limit)}`;
      return await database.all(select, ...values.list);
    },
  };
}
