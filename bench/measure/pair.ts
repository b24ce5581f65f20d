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

/** The workload of each server, and how many times as fast Animal Store has to be. */
export interface Race {
  readonly ours: WorkloadName;
  readonly other: WorkloadName;
  readonly goal?: number | undefined;
}

export interface Comparison {
  readonly ours: Entry;
  readonly other: Entry;
  readonly goal?: number | undefined;
}

const WARM_UP_SECONDS = 1;
/** One load may begin later than the other, since it has more requests to read. */
const SPARE_SECONDS = 2;

/**
 * Loads two servers on one core at the same time and reads their CPU time window by window. Noise
 * hits both sides of a window alike, so the ratio within it repeats where the times do not.
 */
export async function measurePair(
  ours: Target,
  other: Target,
  race: Race,
  { windows, windowSeconds }: Pace,
): Promise<Comparison> {
  const least = [race.ours, race.other].map((name) => WORKLOADS[name].leastWarmUpSeconds ?? 0);
  const warmUp = Math.max(WARM_UP_SECONDS, ...least);
  const seconds = warmUp + windows * windowSeconds + SPARE_SECONDS;
  const startOurs = await prepareLoad(ours, race.ours);
  const startOther = await prepareLoad(other, race.other);
  const sides = [new Side(ours, startOurs(seconds)), new Side(other, startOther(seconds))] as const;
  const readAll = async () => {
    while (sides.some((side) => side.isWaiting())) await Bun.sleep(10);
    await Bun.sleep(warmUp * 1_000);
    for (let window = 0; window <= windows; window++) {
      for (const side of sides) side.read();
      if (window < windows) await Bun.sleep(windowSeconds * 1_000);
    }
  };
  await Promise.all([...sides.map(({ load }) => load.report), readAll()]);
  const [first, second] = sides;
  return {
    ours: await first.finish(race.ours),
    other: await second.finish(race.other),
    goal: race.goal,
  };
}

class Side {
  readonly load: Load;
  readonly #target: Target;
  readonly #readings: { readonly cpuUs: number; readonly requests: number }[] = [];
  readonly #startDeadlineMs = performance.now() + 10_000;

  constructor(target: Target, load: Load) {
    this.#target = target;
    this.load = load;
  }

  isWaiting(): boolean {
    return this.load.sent() === 0 && performance.now() < this.#startDeadlineMs;
  }

  read(): void {
    const cpuUs = cpuMicroseconds(this.#target.server.pid);
    this.#readings.push({ cpuUs, requests: this.load.sent() });
  }

  async finish(workload: WorkloadName): Promise<Entry> {
    const cpuUs = this.#readings.slice(1).map((reading, index) => {
      const { cpuUs, requests } = this.#readings[index] as typeof reading;
      if (reading.requests > requests)
        return (reading.cpuUs - cpuUs) / (reading.requests - requests);
      throw new Error('A window passed without a request. The machine is too busy.');
    });
    const { name, title } = this.#target.contender;
    const { pid, startMs } = this.#target.server;
    const { p99Us } = await this.load.report;
    return { name, title, workload, cpuUs, p99Us, startMs, peakMemoryMb: peakMemoryMb(pid) };
  }
}
