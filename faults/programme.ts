import { seededRandom } from '../src/cli/seeded-random.ts';
import { clockSteps, clocksOfInstances } from './clocks.ts';
import { diskFaults } from './disk.ts';
import type { Fault, Finding, Trial } from './fault.ts';
import { killDatabase, killOnPostgres, killOnSqlite } from './kill.ts';
import { postgresOutages } from './postgres.ts';
import { redisOutages } from './redis.ts';

export const FAULTS: readonly Fault[] = [
  killOnSqlite,
  killOnPostgres,
  killDatabase,
  diskFaults,
  redisOutages,
  postgresOutages,
  clockSteps,
  clocksOfInstances,
];

/** Tries a fault. An error that stops it is a finding too. */
export async function tryFault(
  { run, name }: Fault,
  { seed, amount, step }: { seed: number } & Pick<Trial, 'amount' | 'step'>,
): Promise<readonly Finding[]> {
  try {
    return await run({ amount, step, random: seededRandom(seed) });
  } catch (error) {
    console.error(error);
    return [{ promise: `${name} runs to its end`, outcome: String(error), holds: false }];
  }
}
