import { cpuMicroseconds } from './process-tree.ts';
import { loadTarget, type Target } from './target.ts';
import { WORKLOADS, type WorkloadName } from './workloads.ts';

/** One side of a comparison: a server, and the load that it gets. */
export interface Side {
  readonly target: Target;
  readonly workload: WorkloadName;
}

export interface Pace {
  readonly windows: number;
  readonly windowSeconds: number;
  readonly warmUpSeconds: number;
}

/** CPU microseconds for each request, window by window, and the p99 of the whole load. */
export interface Figures {
  readonly cpuUs: readonly number[];
  readonly p99Us: number;
}

/**
 * Loads two servers on one core at the same time and reads their CPU time window by window. Each
 * window hits both with the same noise, so the ratio within it repeats where the times do not.
 */
export async function measurePair(sides: readonly Side[], pace: Pace): Promise<Figures[]> {
  const { windows, windowSeconds } = pace;
  const warmUpSeconds = Math.max(
    pace.warmUpSeconds,
    ...sides.map(({ workload }) => WORKLOADS[workload].leastWarmUpSeconds ?? 0),
  );
  const seconds = warmUpSeconds + windows * windowSeconds + 1;
  const loads = await Promise.all(
    sides.map(({ target, workload }) => loadTarget(target, workload, seconds)),
  );
  const readings: { readonly cpuUs: number; readonly sent: number }[][] = sides.map(() => []);
  const reports = Promise.all(loads.map(({ report }) => report));
  const read = async () => {
    await Bun.sleep(warmUpSeconds * 1_000);
    for (let window = 0; window <= windows; window++) {
      for (const [side, { target }] of sides.entries()) {
        const cpuUs = cpuMicroseconds(target.server.pid);
        readings[side]?.push({ cpuUs, sent: loads[side]?.sent() ?? 0 });
      }
      if (window < windows) await Bun.sleep(windowSeconds * 1_000);
    }
  };
  const [finished] = await Promise.all([reports, read()]);
  return finished.map(({ p99Us }, side) => ({ cpuUs: differences(readings[side] ?? []), p99Us }));
}

function differences(readings: readonly { readonly cpuUs: number; readonly sent: number }[]) {
  return readings.slice(1).map(({ cpuUs, sent }, index) => {
    const before = readings[index];
    return (cpuUs - (before?.cpuUs ?? 0)) / (sent - (before?.sent ?? 0));
  });
}
