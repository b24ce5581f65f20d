import { readFileSync } from 'node:fs';
import { RedisLimiter } from '#limiters/redis/limiter.ts';

/**
 * Runs the limiter of one instance, without its listeners. It counts one request for each account, and then further
 * requests, one at a time, until Redis has returned from an outage. The arguments are the URL of Redis, the id of the
 * store, the number of instances and the number of accounts.
 */

/** What an instance measured until Redis had returned. It sends this to the process that started it. */
export interface LimiterProcessReport {
  /** The milliseconds that the slowest request took. */
  readonly waitMs: number;
  /**
   * The CPU time of the longest turn of the event loop. The elapsed time would include waiting for a core on a busy
   * machine.
   */
  readonly turnCpuMs: number;
}

const IN_FLIGHT = 250;
const PAUSE_MS = 2;

const [url = '', storeId = '', instances, accounts] = process.argv.slice(2);
const { promise: returned, resolve: onBack } = Promise.withResolvers<void>();
const options = { url, storeId, instances: Number(instances) };
const limiter = await RedisLimiter.open({ ...options, onBack, onAway: () => {} });

function take(account: number) {
  const subject = `account:${account}`;
  return limiter.take({ subject, perMinute: 1e6, perDay: 1e6 }, Date.now());
}

let next = 0;
async function takeRest(): Promise<void> {
  while (next < Number(accounts)) await take(next++);
}
await Promise.all(Array.from({ length: IN_FLIGHT }, takeRest));
process.send?.('ready');

/** CPU time of the thread of the event loop. */
function cpuMs(): number {
  const usage = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8');
  return Number(usage.split(' ')[0]) / 1_000_000;
}

let isBack = false;
returned.then(() => {
  isBack = true;
});

async function longestTurn(): Promise<number> {
  let longestMs = 0;
  for (let beforeMs = cpuMs(); !isBack; beforeMs = cpuMs()) {
    await Bun.sleep(1);
    longestMs = Math.max(longestMs, cpuMs() - beforeMs);
  }
  return longestMs;
}

async function longestWait(): Promise<number> {
  let longestMs = 0;
  for (let count = 0; !isBack; count++) {
    const startedAtMs = performance.now();
    await take((count * 7_919) % Number(accounts));
    longestMs = Math.max(longestMs, performance.now() - startedAtMs);
    await Bun.sleep(PAUSE_MS);
  }
  return longestMs;
}

const [turnCpuMs, waitMs] = await Promise.all([longestTurn(), longestWait()]);
process.send?.({ turnCpuMs, waitMs } satisfies LimiterProcessReport);
await limiter[Symbol.asyncDispose]();
process.disconnect?.();
