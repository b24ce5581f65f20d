import type { Database } from 'bun:sqlite';
import type { Statement, Steps } from '../sql/steps.ts';

/** Runs steps in the transaction that is already open. */
export function runSteps<T>(database: Database, steps: Steps<T>): T {
  let step = steps.next([]);
  while (!step.done) step = steps.next(rowsOf(database, step.value));
  return step.value;
}

/** Runs steps in one transaction, all or none. */
export function commitSteps<T>(database: Database, steps: Steps<T>): T {
  return database.transaction(() => runSteps(database, steps)).immediate();
}

export function rowsOf(database: Database, { sql, values }: Statement): unknown[] {
  const bound = values.map((value) => (value instanceof Date ? value.getTime() : value));
  return database.query(sql.replaceAll(/\$(?=\d)/g, '?')).all(...bound);
}
