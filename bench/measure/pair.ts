import type { Contender } from '../contenders/contender.ts';
import { type Load, prepareLoad } from './load.ts';
import { cpuMicroseconds, peakMemoryMb } from './processes.ts';
import type { Server } from './server.ts';
import { sum } from './statistics.ts';
import { WORKLOADS, type WorkloadName } from './workloads.ts';

export interface Pace {
  readonly windows: number;
  readonly windowSeconds: number;
  /** Default: 1. The compiler of the runtime is done only after about 15. */
  readonly warmUpSeconds?: number;
}

/** The figures of one server. */
export interface Entry {
  readonly contender: Contender;
  readonly workload: WorkloadName;
  /** CPU microseconds for each request, window by window. */
  readonly cpuUs: readonly number[];
  /** Of the whole load. */
  readonly p99Us: number;
  readonly peakMemoryMb: number;
  readonly startMs: number;
}

/** Both sides, and how many times as fast Animal Store has to be. */
interface Versus<T> {
  readonly ours: T;
  readonly other: T;
  readonly goal?: number | undefined;
}

export type Race = Versus<WorkloadName>;
export type Comparison = Versus<Entry>;

const WARM_UP_SECONDS = 1;
/** One load may begin later than the other, since it has more requests to read. */
export const SPARE_SECONDS = 2;
const BEGIN_DEADLINE_MS = 10_000;

/**
 * Loads two servers on one core at the same time and reads their CPU time window by window. Noise
 * hits both sides of a window alike, so the ratio within it repeats where the times do not.
 */
export async function measurePair(ours: Server, other: Server, race: Race, pace: Pace) {
  const warmUps = [race.ours, race.other].map((name) => WORKLOADS[name].warmUpSeconds ?? 0);
  const warmUpSeconds = Math.max(pace.warmUpSeconds ?? WARM_UP_SECONDS, ...warmUps);
  const seconds = warmUpSeconds + pace.windows * pace.windowSeconds + SPARE_SECONDS;
  const startOurs = await prepareLoad(ours, race.ours);
  const startOther = await prepareLoad(other, race.other);
  const loads = [startOurs(seconds), startOther(seconds)] as const;
  const isWarm = warmUp(loads, warmUpSeconds);
  const [first, second] = await Promise.all([
    measure(loads[0], isWarm, pace),
    measure(loads[1], isWarm, pace),
  ]);
  return { ours: first, other: second, goal: race.goal };
}

/** Waits until all loads have begun, and then for some seconds. */
export async function warmUp(loads: readonly Load[], seconds: number): Promise<void> {
  const deadlineMs = performance.now() + BEGIN_DEADLINE_MS;
  while (loads.some(({ sent }) => sent() === 0)) {
    if (performance.now() > deadlineMs) throw new Error('The load generator sends nothing');
    await Bun.sleep(10);
  }
  await Bun.sleep(seconds * 1_000);
}

async function measure(load: Load, isWarm: Promise<void>, pace: Pace): Promise<Entry> {
  const { server, workload } = load;
  const { contender, pid, startMs } = server;
  const reading = isWarm.then(() => readWindows([load], [[pid]], pace));
  const [windows, p99Us] = await Promise.all([reading, load.p99Us]);
  const cpuUs = windows.flatMap((window) => window.cpuUs);
  return { contender, workload, cpuUs, p99Us, startMs, peakMemoryMb: peakMemoryMb(pid) };
}

interface Window {
  readonly requests: number;
  /** CPU microseconds for each request, of each group of processes. */
  readonly cpuUs: readonly number[];
}

/** Reads the CPU time of groups of processes under one or more loads, window by window. */
export async function readWindows(
  loads: readonly Load[],
  groups: readonly (readonly number[])[],
  { windows, windowSeconds }: Pace,
): Promise<Window[]> {
  const read = () => ({
    sent: sum(loads.map((load) => load.sent())),
    cpuUs: groups.map((pids) => sum(pids.map(cpuMicroseconds))),
  });
  const results: Window[] = [];
  while (results.length < windows) {
    const before = read();
    await Bun.sleep(windowSeconds * 1_000);
    const after = read();
    const requests = after.sent - before.sent;
    if (requests === 0) throw new Error('A window passed without a request');
    const cpuUs = after.cpuUs.map((us, group) => (us - (before.cpuUs[group] ?? 0)) / requests);
    results.push({ requests, cpuUs });
  }
  return results;
}
