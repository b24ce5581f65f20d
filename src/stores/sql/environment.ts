import { type EnvironmentStore, onlyOnStaging, type StoreFacts } from '#domain/environment.ts';
import { OperatorError } from '#domain/error.ts';
import { changeOf } from '#domain/operator/audit.ts';
import { findAccount } from './accounts.ts';
import type { Change } from './audit.ts';
import type { Sql, SqlDatabase } from './sql.ts';

const SELECT_STORE = "SELECT id, coalesce(environment, 'production') AS environment FROM store";
const SELECT_UNUSED = 'SELECT 1 FROM store WHERE environment IS NULL';

/** A store with accounts that no service has used is one of production, from an import. */
const SET_FIRST = `UPDATE store SET environment = $1 WHERE environment IS NULL
  AND ($1 = 'production' OR NOT EXISTS (SELECT 1 FROM accounts))`;

export async function readStore(sql: Sql): Promise<StoreFacts> {
  const [row] = await sql.all<StoreFacts>(SELECT_STORE);
  return row as StoreFacts;
}

/** The environment of a store, and the test clocks of its accounts. */
export function sqlEnvironment(database: SqlDatabase, change: Change): EnvironmentStore {
  return {
    async set(environment) {
      // Only the first start writes. Any later start would wait for a command that holds the lock, such as an import.
      const [unused] = await database.all(SELECT_UNUSED);
      if (unused !== undefined) {
        await database.transaction((sql) => sql.all(SET_FIRST, environment));
      }
      // Another instance may have set the environment first.
      const store = await readStore(database);
      if (store.environment === environment) return store.id;
      throw new OperatorError(
        environment === 'staging'
          ? 'STAGING is on, but this store belongs to production. Use another DATABASE_URL.'
          : 'This store belongs to staging. Set STAGING=on, or use another DATABASE_URL.',
      );
    },

    read: () => readStore(database),

    /** This is one statement, so that the later time wins if two requests set the clock at once. */
    async putClock(accountId, toMs, nowMs) {
      const put = `UPDATE accounts SET clock_put_to = $2,
          clock_offset = CASE WHEN clock_put_to = $2 THEN clock_offset ELSE $3 END
        WHERE id = $1 AND (clock_put_to = $2 OR clock_offset <= $3) RETURNING id`;
      const moved = await database.transaction((sql) =>
        sql.all(put, accountId, toMs, toMs - nowMs),
      );
      return moved.length > 0;
    },

    resetAccount: (accountId, nowMs) =>
      database.transaction((sql) => resetAccount(sql, accountId, nowMs)),

    reset: (accountName) =>
      change(async (sql, nowMs) => {
        const { environment } = await readStore(sql);
        if (environment !== 'staging') throw onlyOnStaging('"staging reset"');
        const { id, name } = await findAccount(sql, accountName);
        await resetAccount(sql, id, nowMs);
        return [undefined, changeOf('account.reset', `account ${id}`, undefined, { name }, id)];
      }),
  };
}

async function resetAccount(sql: Sql, accountId: number, nowMs: number): Promise<void> {
  await sql.all(
    'UPDATE accounts SET clock_put_to = 0, clock_offset = 0, resets = resets + 1 WHERE id = $1',
    accountId,
  );
  const unban = 'UPDATE api_keys SET unbanned_at = $2 WHERE account_id = $1';
  await sql.all(unban, accountId, nowMs);
  await sql.all('DELETE FROM idempotency_keys WHERE account_id = $1', accountId);
}
