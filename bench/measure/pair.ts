import type { Load } from './load.ts';
import { cpuMicroseconds, peakMemoryMb } from './session.ts';
import { prepareLoad, type Target } from './target.ts';
import { WORKLOADS, type WorkloadName } from './workloads.ts';

export interface Pace {
  readonly windows: number;
  readonly windowSeconds: number;
}

/** The figures of one server. */
export interface Entry {
  readonly name: string;
  readonly title: string;
  readonly workload: WorkloadName;
  /** CPU microseconds for each request, window by window. */
  readonly cpuUs: readonly number[];
  /** Of the whole load. */
  readonly p99Us: number;
  readonly peakMemoryMb: number;
  readonly startMs: number;
}

export interface Comparison {
  readonly ours: Entry;
  readonly other: Entry;
  readonly goal?: number | undefined;
}

const WARM_UP_SECONDS = 1;
/** One load may begin later than the other, since it has more requests to read. */
const SPARE_SECONDS = 2;
const START_DEADLINE_MS = 10_000;

/**
 * Loads two servers on one core at the same time and reads their CPU time window by window. Noise
 * hits both sides of a window alike, so the ratio within it repeats where the times do not.
 */
export async function measurePair(
  ours: Target,
  other: Target,
  race: {
    readonly ours: WorkloadName;
    readonly other: WorkloadName;
    readonly goal?: number | undefined;
  },
  { windows, windowSeconds }: Pace,
): Promise<Comparison> {
  const least = [race.ours, race.other].map((name) => WORKLOADS[name].leastWarmUpSeconds ?? 0);
  const warmUp = Math.max(WARM_UP_SECONDS, ...least);
  const seconds = warmUp + windows * windowSeconds + SPARE_SECONDS;
  const startOurs = await prepareLoad(ours, race.ours);
  const startOther = await prepareLoad(other, race.other);
  const [ourLoad, otherLoad] = [startOurs(seconds), startOther(seconds)];
  const readings: { readonly ours: Reading; readonly other: Reading }[] = [];
  const readAll = async () => {
    const deadlineMs = performance.now() + START_DEADLINE_MS;
    const isSending = () => ourLoad.sent() > 0 && otherLoad.sent() > 0;
    while (!isSending() && performance.now() < deadlineMs) await Bun.sleep(10);
    await Bun.sleep(warmUp * 1_000);
    for (let window = 0; window <= windows; window++) {
      readings.push({ ours: read(ours, ourLoad), other: read(other, otherLoad) });
      if (window < windows) await Bun.sleep(windowSeconds * 1_000);
    }
  };
  const [ourReport, otherReport] = await Promise.all([ourLoad.report, otherLoad.report, readAll()]);
  const ourCpu = cpuPerRequest(readings.map((reading) => reading.ours));
  const otherCpu = cpuPerRequest(readings.map((reading) => reading.other));
  return {
    ours: { ...entryOf(ours, race.ours), cpuUs: ourCpu, p99Us: ourReport.p99Us },
    other: { ...entryOf(other, race.other), cpuUs: otherCpu, p99Us: otherReport.p99Us },
    goal: race.goal,
  };
}

interface Reading {
  readonly cpuUs: number;
  readonly requests: number;
}

function read({ server: { pid } }: Target, { sent }: Load): Reading {
  return { cpuUs: cpuMicroseconds(pid), requests: sent() };
}

function cpuPerRequest(readings: readonly Reading[]): number[] {
  return readings.slice(1).map(({ cpuUs, requests }, index) => {
    const before = readings[index] as Reading;
    if (requests > before.requests) return (cpuUs - before.cpuUs) / (requests - before.requests);
    throw new Error('A window passed without a request. The machine is too busy.');
  });
}

function entryOf(
  { contender: { name, title }, server: { pid, startMs } }: Target,
  workload: WorkloadName,
) {
  return { name, title, workload, startMs, peakMemoryMb: peakMemoryMb(pid) };
}
