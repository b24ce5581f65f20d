import type { Contender } from '../contenders/contender.ts';
import { prepareLoad } from './load.ts';
import { memoryMb } from './processes.ts';
import type { Server } from './server.ts';
import { ratios, spread } from './statistics.ts';
import { Meter, type Pace, readWindows, warmUp } from './windows.ts';
import { WORKLOADS, type WorkloadName } from './workloads.ts';

/** The figures of one server. */
export interface Entry {
  readonly contender: Contender;
  readonly workload: WorkloadName;
  /** CPU microseconds for each request, window by window. */
  readonly cpuUs: readonly number[];
  /** The memory at the end of the load. */
  readonly memoryMb: number;
}

/** Both sides of a comparison. Animal Store must be at least `floor` times as fast as the other side. */
interface Versus<T> {
  readonly ours: T;
  readonly other: T;
  readonly floor?: number | undefined;
}

export type Race = Versus<WorkloadName>;
export type Comparison = Versus<Entry>;

/** How many times as fast Animal Store is by CPU time, window by window. */
export function speedsOf({ ours, other }: Versus<Pick<Entry, 'cpuUs'>>): number[] {
  return ratios(other.cpuUs, ours.cpuUs);
}

/**
 * Loads two servers on one core at the same time, and reads their CPU time window by window. Noise affects both sides
 * of a window alike, so the ratio within a window is reproducible even where the times are not.
 */
export async function measurePair(
  ours: Server,
  other: Server,
  race: Race,
  pace: Pace,
): Promise<Comparison> {
  const warmUps = [race.ours, race.other].map((name) => WORKLOADS[name].warmUpSeconds ?? 0);
  const startOurs = await prepareLoad(ours, race.ours);
  const startOther = await prepareLoad(other, race.other);
  using ourLoad = startOurs();
  using otherLoad = startOther();
  await warmUp([ourLoad, otherLoad], Math.max(pace.warmUpSeconds, ...warmUps));
  const meters = {
    ours: new Meter([ours.pid], [ourLoad]),
    other: new Meter([other.pid], [otherLoad]),
  };
  await readWindows([meters.ours, meters.other], pace, () => spread(speedsOf(meters)));
  const entry = ({ contender, pid }: Server, workload: WorkloadName, { cpuUs }: Meter): Entry => ({
    contender,
    workload,
    cpuUs,
    memoryMb: memoryMb(pid),
  });
  const result = {
    ours: entry(ours, race.ours, meters.ours),
    other: entry(other, race.other, meters.other),
    floor: race.floor,
  };
  await Promise.all([ourLoad.end(), otherLoad.end()]);
  return result;
}
