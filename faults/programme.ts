import { seededRandom } from '#staging/seeded-random.ts';
import { diskFaults } from './disk.ts';
import type { Fault, Finding } from './fault.ts';
import { jsonFuzz } from './json.ts';
import { keyGuessing } from './key-guessing.ts';
import { killDatabase, killOnSqlite } from './kill.ts';
import { litestream } from './litestream.ts';
import { lostResponseOnPostgres, lostResponseOnSqlite } from './lost-response.ts';
import { malformedHttp } from './malformed-http.ts';
import { oldPrimary } from './old-primary.ts';
import { overload } from './overload.ts';
import { patroni } from './patroni.ts';
import { postgresOutages } from './postgres.ts';
import { powerCut } from './power-cut.ts';
import { redisOutages } from './redis.ts';
import { redisReturn } from './redis-return.ts';
import { slowClients } from './slow-clients.ts';
import { smuggling } from './smuggling.ts';
import { soak } from './soak.ts';
import { rollingUpgrade } from './upgrade.ts';

export const FAULTS: readonly Fault[] = [
  killOnSqlite,
  killDatabase,
  powerCut,
  diskFaults,
  litestream,
  lostResponseOnSqlite,
  lostResponseOnPostgres,
  redisOutages,
  redisReturn,
  postgresOutages,
  oldPrimary,
  patroni,
  rollingUpgrade,
  slowClients,
  malformedHttp,
  smuggling,
  jsonFuzz,
  overload,
  soak,
  keyGuessing,
];

/** Tries a fault. An error that stops the attack is reported as a broken promise too. */
export async function tryFault(
  { run, name }: Fault,
  amount: number,
  seed: number,
): Promise<readonly Finding[]> {
  try {
    return await run({ amount, random: seededRandom(seed) });
  } catch (error) {
    console.error(error);
    return [{ promise: `${name} runs to its end`, outcome: String(error), holds: false }];
  }
}
