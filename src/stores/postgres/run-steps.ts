import type { SQL } from 'bun';
import type { StepRunner, Steps } from '../sql/steps.ts';
import type { Pool } from './pool.ts';

export function postgresRunner(pool: Pool): StepRunner {
  return {
    read: (steps) => pool.ask((sql) => runSteps(sql, steps)),
    commit: (steps) => pool.ask((sql) => commitSteps(sql, steps)),
  };
}

/** Runs steps in the transaction that is already open. */
export async function runSteps<T>(sql: SQL, steps: Steps<T>): Promise<T> {
  let step = steps.next([]);
  while (!step.done) {
    const { sql: text, values } = step.value;
    step = steps.next(await sql.unsafe(text, [...values]));
  }
  return step.value;
}

/** Runs steps in one transaction, all or none. */
export function commitSteps<T>(sql: SQL, steps: Steps<T>): Promise<T> {
  return commitDurably(sql, (transaction) => runSteps(transaction, steps));
}

/** Resolves once the changes in one transaction are safe, all or none. */
export function commitDurably<T>(sql: SQL, change: (transaction: SQL) => Promise<T>): Promise<T> {
  return sql.begin(async (transaction) => {
    await transaction`SELECT commit_durably()`;
    return await change(transaction);
  });
}
