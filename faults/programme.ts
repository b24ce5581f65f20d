import { seededRandom } from '../src/domain/seeded-random.ts';
import { crashLoop } from './crash-loop.ts';
import { diskFaults } from './disk.ts';
import type { Fault, Finding, Trial } from './fault.ts';
import { jsonFuzz } from './json.ts';
import { keyGuessing } from './key-guessing.ts';
import { keyTiming } from './key-timing.ts';
import { killDatabase, killOnPostgres, killOnSqlite } from './kill.ts';
import { lostResponseOnPostgres, lostResponseOnSqlite } from './lost-response.ts';
import { malformedHttp } from './malformed-http.ts';
import { overloadOfReads, overloadOfWrites } from './overload.ts';
import { postgresOutages } from './postgres.ts';
import { powerCut } from './power-cut.ts';
import { redisOutages } from './redis.ts';
import { slowClients, slowhttptest } from './slow-clients.ts';
import { smuggling } from './smuggling.ts';
import { soak } from './soak.ts';

export const FAULTS: readonly Fault[] = [
  killOnSqlite,
  killOnPostgres,
  killDatabase,
  crashLoop,
  powerCut,
  diskFaults,
  lostResponseOnSqlite,
  lostResponseOnPostgres,
  redisOutages,
  postgresOutages,
  slowClients,
  slowhttptest,
  malformedHttp,
  smuggling,
  jsonFuzz,
  overloadOfWrites,
  overloadOfReads,
  soak,
  keyGuessing,
  keyTiming,
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
