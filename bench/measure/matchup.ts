import type { Contender } from '../contenders/contender.ts';
import { check } from './checks.ts';
import type { Lab } from './lab.ts';
import { type Comparison, measurePair, type Race, speedsOf } from './pair.ts';
import { get } from './request.ts';
import type { Server } from './server.ts';
import { withSpread } from './statistics.ts';
import { type Pace, paceOf } from './windows.ts';
import { WORKLOADS } from './workloads.ts';

/**
 * Two servers that are loaded at the same time: Animal Store, and another server, version or store that it is compared
 * with. A ratio says how many times as fast `ours` is as `other`.
 */
export interface Matchup {
  readonly ours: Contender;
  readonly other: Contender;
  readonly races: readonly Race[];
}

/** Throws when one of the servers sends a wrong response. */
export async function runMatchup(lab: Lab, { ours, other, races }: Matchup, pace: Pace) {
  await using first = await lab.start(ours);
  await using second = await lab.start(other, await captureGetPet(first));
  const checkBoth = async () => {
    for (const race of races.filter((each) => each.ours === each.other && !other.isMock)) {
      await check(second, first, WORKLOADS[race.ours].request(0, other.fixture));
    }
  };
  await checkBoth();
  const comparisons: Comparison[] = [];
  for (const [index, race] of races.entries()) {
    const comparison = await measurePair(first, second, race, paceOf(index, pace));
    comparisons.push(comparison);
    const { length } = comparison.ours.cpuUs;
    console.error(`  ${race.ours}: ${withSpread(speedsOf(comparison))} in ${length} windows`);
  }
  await checkBoth();
  return comparisons;
}

async function captureGetPet(server: Server): Promise<string> {
  const response = await server.send(get('/v1/pets/1'));
  const { date, 'content-length': length, connection, ...headers } = response.headers.toJSON();
  return JSON.stringify({ headers, body: await response.text() });
}
