import type { Load } from './load.ts';
import { cpuMicroseconds } from './processes.ts';
import { sum } from './statistics.ts';

export interface Pace {
  readonly windowSeconds: number;
  /** Windows are added until the spread is small enough, or until there are `mostWindows`. */
  readonly fewestWindows: number;
  readonly mostWindows: number;
  readonly warmUpSeconds: number;
  /**
   * The warm-up before the first load of a process, whose code is compiled only after about 15 seconds. By default, it
   * is as long as the warm-up before later loads.
   */
  readonly firstWarmUpSeconds?: number;
}

/** A pace for tests. It shows that a command works, but not how fast a server is. */
export const QUICK_PACE: Pace = {
  windowSeconds: 1,
  fewestWindows: 2,
  mostWindows: 2,
  warmUpSeconds: 1,
};

/** The pace of a load, given how many loads the same processes have already had. */
export function paceOf(loadsBefore: number, pace: Pace): Pace {
  const { warmUpSeconds, firstWarmUpSeconds = warmUpSeconds } = pace;
  return { ...pace, warmUpSeconds: loadsBefore === 0 ? firstWarmUpSeconds : warmUpSeconds };
}

/** The largest spread of a result that may be published. */
const SMALL_SPREAD = 0.1;
const BEGIN_DEADLINE_MS = 10_000;

/** Waits until all loads have begun, and then for the given number of seconds. */
export async function warmUp(loads: readonly Load[], seconds: number): Promise<void> {
  const deadlineMs = performance.now() + BEGIN_DEADLINE_MS;
  while (loads.some((load) => load.sent() === 0)) {
    if (performance.now() > deadlineMs) throw new Error('A load generator sent no request');
    await Bun.sleep(10);
  }
  await Bun.sleep(seconds * 1_000);
}

/** The CPU time of some processes under some loads. */
export class Meter {
  /** Microseconds for each request, window by window. */
  readonly cpuUs: number[] = [];
  /** The number of requests, window by window. */
  readonly requests: number[] = [];
  readonly #pids: readonly number[];
  readonly #loads: readonly Load[];
  #before = { cpuUs: 0, sent: 0 };

  constructor(pids: readonly number[], loads: readonly Load[]) {
    this.#pids = pids;
    this.#loads = loads;
  }

  begin(): void {
    this.#before = this.#read();
  }

  end(): void {
    const { cpuUs, sent } = this.#read();
    const requests = sent - this.#before.sent;
    if (requests === 0) throw new Error('A window passed without a request');
    this.requests.push(requests);
    this.cpuUs.push((cpuUs - this.#before.cpuUs) / requests);
  }

  #read() {
    return {
      cpuUs: sum(this.#pids.map(cpuMicroseconds)),
      sent: sum(this.#loads.map((load) => load.sent())),
    };
  }
}

/** Reads meters at the same moments, window by window, until the spread of the result is small. */
export async function readWindows(
  meters: readonly Pick<Meter, 'begin' | 'end'>[],
  { windowSeconds, fewestWindows, mostWindows }: Pace,
  spreadNow: () => number,
): Promise<void> {
  for (let window = 1; window <= mostWindows; window++) {
    for (const meter of meters) meter.begin();
    await Bun.sleep(windowSeconds * 1_000);
    for (const meter of meters) meter.end();
    if (window >= fewestWindows && spreadNow() <= SMALL_SPREAD) return;
  }
}
