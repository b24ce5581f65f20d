import { expect } from 'bun:test';
import { type CountsReader, NO_JOURNAL } from '#domain/counts-journal.ts';
import type { Caller, Decision, Limiter, Quota } from '#domain/rate-limit.ts';
import { MemoryLimiter } from '#limiters/memory.ts';
import { countsName } from '#limiters/redis/counts.ts';
import { RedisLimiter, type RedisLimiterOptions } from '#limiters/redis/limiter.ts';
import type { TestRedis } from '../support/redis.ts';
import { eventually, failLoudly, PATIENT_MS } from '../support/time.ts';

let accounts = 0;

/** A caller with a new account and a new key. */
export function newCaller(perMinute: number, perDay: number) {
  const id = ++accounts;
  return { subject: `account:${id}`, perMinute, perDay, id, unbannedAtMs: 0 };
}

export function withoutKey({ subject, perMinute, perDay }: Caller) {
  return { subject, perMinute, perDay };
}

/** A limiter whose callers all have the same clock. */
export interface ClockedLimiter {
  take(caller: Caller): Promise<Decision>;
  peek(caller: Caller): Quota;
}

export function withClock(limiter: Limiter, now: () => number): ClockedLimiter {
  const timeOf = ({ clockOffsetMs = 0 }: Caller) => now() + clockOffsetMs;
  return {
    take: async (caller) => limiter.take(caller, timeOf(caller)),
    peek: (caller) => limiter.peek(caller, timeOf(caller)),
  };
}

/** A limiter that saves nothing. */
export function newMemoryLimiter(now: () => number): MemoryLimiter {
  return new MemoryLimiter({ now, journal: NO_JOURNAL, onSaveFailed: failLoudly });
}

export function takeAll(
  limiter: ClockedLimiter,
  caller: Caller,
  count: number,
): Promise<Decision[]> {
  return Promise.all(Array.from({ length: count }, () => limiter.take(caller)));
}

export function admitted(decisions: readonly Decision[]): number {
  return decisions.filter(({ refusedBy }) => refusedBy === undefined).length;
}

/** How many requests several instances admit together, each of which gets as many at once. */
export async function admittedBy(
  instances: readonly { readonly limiter: ClockedLimiter }[],
  caller: Caller,
  count: number,
): Promise<number> {
  const sent = instances.map(({ limiter }) => takeAll(limiter, caller, count));
  return admitted((await Promise.all(sent)).flat());
}

type Options = Partial<RedisLimiterOptions> & Pick<RedisLimiterOptions, 'url'>;

/** No window of an account ends during a test that does not move the clock. */
const NOON_MS = Date.UTC(2026, 10, 15, 12);

export const STORE_ID = '00000001';
/** The name of an account for a limiter without another `storeId`. */
export function testName({ subject }: { readonly subject: string }): string {
  return countsName(STORE_ID, subject);
}

/**
 * A limiter that records when Redis goes away and comes back. The clock of Redis stands still, unless
 * the options have another, or undefined for the real one.
 */
export async function openRedisLimiter(
  options: Options,
): Promise<{ limiter: ClockedLimiter & CountsReader; events: string[] } & AsyncDisposable> {
  const events: string[] = [];
  const all: RedisLimiterOptions = {
    storeId: STORE_ID,
    instances: 1,
    redisNow: () => NOON_MS,
    ...options,
    onAway(error) {
      events.push('away');
      options.onAway?.(error);
    },
    onBack() {
      events.push('back');
      options.onBack?.();
    },
  };
  const limiter = await RedisLimiter.open(all);
  return {
    limiter: {
      ...withClock(limiter, all.redisNow ?? Date.now),
      getCounts: (subject) => limiter.getCounts(subject),
      getPenalty: (subject, keyId) => limiter.getPenalty(subject, keyId),
    },
    events,
    [Symbol.asyncDispose]: () => limiter[Symbol.asyncDispose](),
  };
}

/** Uses Redis from the start. On a busy machine, it takes several tries to connect. */
export async function openConnectedLimiter(options: Options) {
  const opened = await openRedisLimiter(options);
  await eventually(() => opened.events.at(-1) !== 'away');
  opened.events.length = 0;
  return opened;
}

/** For tests in which Redis is never away. */
export async function openPatientLimiter(options: Options) {
  let mayBeAway = true;
  const onAway = (error: unknown) => {
    if (!mayBeAway) throw error;
  };
  const opened = await openConnectedLimiter({ silenceMs: PATIENT_MS, onAway, ...options });
  mayBeAway = false;
  return opened;
}

/** Opens four instances that share the limits. */
export async function openFour(
  resources: AsyncDisposableStack,
  url: string,
  openOne = openPatientLimiter,
) {
  const opened = await Promise.all([1, 2, 3, 4].map(() => openOne({ url, instances: 4 })));
  return opened.map((instance) => resources.use(instance));
}

interface Failover {
  readonly url: string;
  /** The server that fails, and that has the counts of all callers. */
  readonly master: TestRedis;
  readonly callerThere: (perDay: number) => ReturnType<typeof newCaller>;
  /** The requests that each instance has in flight when the server fails. */
  readonly inFlight: number;
  failOver(): Promise<void>;
}

/** How many requests four instances admit, with a limit of 1,000, while another server takes over. */
export async function admittedInFailover(scene: Failover): Promise<number> {
  const { url, master, callerThere, inFlight } = scene;
  await using resources = new AsyncDisposableStack();
  const instances = await openFour(resources, url, openConnectedLimiter);
  const caller = withoutKey(callerThere(1_000));
  const send = (count: number) => admittedBy(instances, caller, count);
  let count = await send(20);
  // This account has no request in flight.
  const quiet = callerThere(1_000);
  await admittedBy(instances, quiet, 5);
  await master.send('WAIT', '1', '0');
  const burst = send(inFlight);
  await scene.failOver();
  count += await burst;
  await eventually(async () => {
    count += await send(2);
    return instances.every(({ events }) => events.includes('back'));
  });
  expect(await instances[0]?.limiter.take(quiet)).toHaveProperty('remaining', 1_000 - 21);
  return count + (await send(1_000));
}
