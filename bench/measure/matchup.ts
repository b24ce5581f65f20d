import type { Contender } from '../contenders/contenders.ts';
import { check } from './checks.ts';
import type { Lab } from './lab.ts';
import { type Comparison, measurePair, type Pace, type Race } from './pair.ts';

/** Animal Store and another server, loaded at the same time. */
export interface Matchup {
  readonly ours: Contender;
  readonly other: Contender;
  readonly races: readonly Race[];
}

/** Throws when one of the servers sends a wrong response. */
export async function runMatchup(
  lab: Lab,
  { ours, other, races }: Matchup,
  pace: Pace,
): Promise<Comparison[]> {
  try {
    await using first = await lab.start(ours);
    await using second = await lab.start(other, first.server.url);
    const same = races.filter((race) => race.ours === race.other && !other.isMock);
    const workloads = same.map((race) => race.ours);
    const checkBoth = () => check(second.server.url, first.server.url, workloads);
    await checkBoth();
    const comparisons: Comparison[] = [];
    for (const race of races) comparisons.push(await measurePair(first, second, race, pace));
    await checkBoth();
    return comparisons;
  } catch (error) {
    throw new Error(`${other.title}: ${(error as Error).message}`, { cause: error });
  }
}
