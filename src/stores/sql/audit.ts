import type { BackendOptions } from '#domain/backend.ts';
import type { AuditedChange, AuditReader } from '#domain/operator/audit.ts';
import { RECORD_FIELDS } from '#domain/operator/transfer.ts';
import { MAX_ID } from '#formats/int64.ts';
import { insert, type Sql, type SqlDatabase, selectList, Values } from './sql.ts';

const SELECT = `SELECT ${selectList(RECORD_FIELDS.auditEntry)} FROM audit`;
/** The ids of the account with this name, and of accounts that had it when they were removed. -1 keeps the list from being empty. */
const IDS_OF_NAME = `SELECT id FROM accounts WHERE name = $1
  UNION SELECT account_id FROM audit
    WHERE action = 'account.remove' AND replace(old_value, $2, '') <> old_value
  UNION SELECT -1`;

/**
 * Runs a change in a transaction, together with its entry in the audit. The change gets the time at which it begins, and
 * returns its result with its entry. There is no entry if it returns none, or if the entry says that nothing has
 * changed.
 */
export type Change = <T>(
  work: (sql: Sql, nowMs: number) => Promise<readonly [T, AuditedChange | undefined]>,
  transaction?: SqlDatabase['transaction'],
) => Promise<T>;

export type ChangeOptions = Pick<BackendOptions, 'origin' | 'now'>;

/** Makes changes of one origin. */
export function changer(database: SqlDatabase, { origin, now }: ChangeOptions): Change {
  return (work, transaction = database.transaction) =>
    transaction(async (sql) => {
      const [result, entry] = await work(sql, now());
      if (entry?.oldValue !== entry?.newValue) {
        // An import may have read for minutes. A backup that was made meanwhile lacks it, so its entry must be later.
        await insert(sql, 'audit', [{ createdAtMs: now(), ...entry, ...origin }]);
      }
      return result;
    });
}

export function auditReader(database: SqlDatabase): AuditReader {
  return {
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
