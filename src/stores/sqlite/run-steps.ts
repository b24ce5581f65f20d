import type { Database } from 'bun:sqlite';
import type { Statement, StepRunner, Steps } from '../sql/steps.ts';
import { withoutWaiting } from './database.ts';
import { isLocked, type Reading, reading } from './sqlite-errors.ts';

const LOCK_TIMEOUT_MS = 5_000;
const RETRY_MS = 2;

export function sqliteRunner(database: Database, read: Reading = reading): StepRunner {
  return {
    read: async (steps) => read(() => runSteps(database, steps)),
    commit: (steps) => commitSteps(database, steps, read),
  };
}

/** Runs steps in the transaction that is already open. */
export function runSteps<T>(database: Database, steps: Steps<T>): T {
  let step = steps.next([]);
  while (!step.done) step = steps.next(rowsOf(database, step.value));
  return step.value;
}

/**
 * Runs steps in one transaction, all or none. Waits for the lock of the file without holding up this
 * thread, which may serve requests. Throws `StoreUnavailableError`.
 */
export async function commitSteps<T>(
  database: Database,
  steps: Steps<T>,
  read: Reading = reading,
): Promise<T> {
  for (let leftMs = LOCK_TIMEOUT_MS; !tryLock(database, leftMs <= 0); leftMs -= RETRY_MS) {
    await Bun.sleep(RETRY_MS);
  }
  try {
    return read(() => {
      const result = runSteps(database, steps);
      database.run('COMMIT');
      return result;
    });
  } catch (error) {
    if (database.inTransaction) database.run('ROLLBACK');
    throw error;
  }
}

/** False if another connection has the lock, unless this is the last attempt. */
function tryLock(database: Database, isLast: boolean): boolean {
  try {
    reading(() => withoutWaiting(database, () => database.run('BEGIN IMMEDIATE')));
    return true;
  } catch (error) {
    const { code = '' } = ((error as Error).cause ?? {}) as { code?: string };
    if (!isLocked(code) || isLast) throw error;
    return false;
  }
}

function rowsOf(database: Database, { sql, values }: Statement): unknown[] {
  return database.query(sql.replaceAll(/\$(?=\d)/g, '?')).all(...values);
}
