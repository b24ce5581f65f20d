import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { type Caller, minuteOffsetSeconds } from '#domain/rate-limit.ts';
import { seededRandom } from '#staging/seeded-random.ts';
import { TestRedis } from '../support/redis.ts';
import { eventually, TEST_TIMEOUT_MS } from '../support/time.ts';
import { admittedBy, type ClockedLimiter, newCaller, openConnectedLimiter } from './limiters.ts';

/** `npm run check:pauses` runs 1,000. */
const TRIALS = Number(Bun.env['TRIALS'] ?? 8);
const SEED = Number(Bun.env['SEED'] ?? Date.now() % 1_000_000);
const LANES = 5;
const INSTANCES = 4;
const LIMIT = 300;
const BURST = 3 * LIMIT;
const STAGGER_MS = 300;
const NOON_MS = Date.UTC(2026, 10, 15, 12);
/** The clock of a trial stops after this time, so that no window ends on a slow machine. */
const CLOCK_SECONDS = 30;

const lanes: TestRedis[] = [];
beforeAll(async () => {
  for (let lane = 0; lane < LANES; lane++) lanes.push(await TestRedis.start());
});
beforeEach(async () => {
  for (const redis of lanes) await redis.startIfStopped();
});
afterAll(async () => {
  for (const redis of lanes) await redis[Symbol.asyncDispose]();
});

/** A caller that is limited by the minute or by the day. */
function newBusyCaller(random: () => number): Caller {
  if (random() < 0.5) return newCaller(1_000_000, LIMIT);
  for (;;) {
    const caller = newCaller(LIMIT, 1_000_000);
    // This is how many seconds after noon a minute of this caller begins.
    if (minuteOffsetSeconds(caller.subject) > CLOCK_SECONDS) return caller;
  }
}

/** Opens the instances at different moments, so that their timers do not run in step. */
async function openInstances(resources: AsyncDisposableStack, url: string, random: () => number) {
  const beganAtMs = performance.now();
  const redisNow = () => NOON_MS + Math.min(performance.now() - beganAtMs, CLOCK_SECONDS * 1000);
  const opened = Array.from({ length: INSTANCES }, async () => {
    await Bun.sleep(random() * STAGGER_MS);
    return openConnectedLimiter({ url, instances: INSTANCES, redisNow });
  });
  return (await Promise.all(opened)).map((instance) => resources.use(instance));
}

/** Sends a burst to all instances, `inFlight` requests at a time. Returns how many were admitted. */
async function sendBurst(
  limiters: readonly ClockedLimiter[],
  caller: Caller,
  inFlight: number,
  onResponse: () => void,
): Promise<number> {
  const counts = limiters.map(async (limiter) => {
    let left = BURST / INSTANCES;
    let count = 0;
    const work = async () => {
      while (left-- > 0) {
        const { refusedBy } = await limiter.take(caller);
        if (refusedBy === undefined) count++;
        onResponse();
      }
    };
    await Promise.all(Array.from({ length: inFlight }, work));
    return count;
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count);
}

/**
 * Freezes or kills Redis at a random moment of a burst, until all instances count locally. Returns how many
 * requests were admitted during the burst, while Redis was away, during its return and after it.
 */
async function runTrial(redis: TestRedis, random: () => number): Promise<number[]> {
  await using resources = new AsyncDisposableStack();
  const instances = await openInstances(resources, redis.url, random);
  const limiters = instances.map(({ limiter }) => limiter);
  const caller = newBusyCaller(random);
  const inFlight = Math.ceil(random() ** 3 * (BURST / INSTANCES));
  const freezeAt = Math.floor(random() * 1.2 * LIMIT);
  const spinMs = random() * 2;
  const signal = random() < 0.5 ? 'SIGSTOP' : 'SIGKILL';
  let responses = 0;
  const duringBurst = await sendBurst(limiters, caller, inFlight, () => {
    if (responses++ !== freezeAt) return;
    // Redis runs on for a moment, so that it is not always idle when the outage begins.
    const untilMs = performance.now() + spinMs;
    while (performance.now() < untilMs);
    redis.signal(signal);
  });
  // Some trials leave a part of the shares for the return.
  const whileAway = await admittedBy(instances, caller, random() < 0.5 ? LIMIT : LIMIT / 20);
  expect(instances.map(({ events }) => events)).toEqual(instances.map(() => ['away']));
  if (signal === 'SIGSTOP') redis.signal('SIGCONT');
  else await redis.restart();
  const busyInReturn = instances.slice(0, Math.floor(random() * (INSTANCES + 1)));
  let duringReturn = 0;
  await eventually(async () => {
    duringReturn += await admittedBy(busyInReturn, caller, 20);
    return instances.every(({ events }) => events.includes('back'));
  });
  return [duringBurst, whileAway, duringReturn, await admittedBy(instances, caller, LIMIT)];
}

test(
  `never more than the limit is admitted over ${TRIALS} pauses and restarts of Redis during a burst`,
  async () => {
    let started = 0;
    let most = 0;
    const runLane = async (redis: TestRedis) => {
      while (started < TRIALS) {
        const seed = SEED + started++;
        const counts = await runTrial(redis, seededRandom(seed));
        const sum = counts.reduce((total, count) => total + count);
        most = Math.max(most, sum);
        if (sum > LIMIT)
          throw new Error(`SEED=${seed}: admitted ${counts.join(' + ')} of ${LIMIT}`);
      }
    };
    await Promise.all(lanes.map(runLane));
    if (TRIALS > 20)
      console.log(`${started} pauses and restarts, at most ${most} of ${LIMIT} admitted`);
  },
  Math.max(TEST_TIMEOUT_MS, TRIALS * 5_000),
);
