import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_SECONDS } from '#domain/durations.ts';
import { TestSentinels } from '../test/limiters/redis-sentinel.ts';
import { makeKey, type Serving, serve } from '../test/support/command.ts';
import { TestPostgres } from '../test/support/postgres.ts';
import { TestRedis } from '../test/support/redis.ts';
import { eventually } from '../test/support/time.ts';
import { atMost, type Fault, none } from './fault.ts';
import { LimitedLoad } from './limited-load.ts';

const INSTANCES = 2;
const LIMIT = 300;
/** An outage must end before the UTC day does. */
const OUTAGE_SECONDS = 60;

/** Instances that share a Redis, and clients that send more requests than the limit. */
interface Scene {
  readonly services: readonly Serving[];
  /** The instances that get requests. */
  readonly busy: Serving[];
  readonly load: LimitedLoad;
  /** True if the outage lasts until the clients have used up the share that each instance admits without Redis. */
  readonly isLong: boolean;
}

type Outage = (scene: Scene, redis: TestRedis) => Promise<void>;

const OUTAGES: Readonly<Record<string, Outage>> = {
  async stopped(scene, redis) {
    await redis.stop();
    await untilAway(scene);
    await redis.start();
    await untilBack(scene);
  },
  /** The snapshot lacks the requests that were counted after it was made. */
  async 'restarted from an older snapshot'(scene, redis) {
    await redis.send('SAVE');
    await scene.load.untilAdmitted(scene.load.admitted + LIMIT / 10);
    await OUTAGES['stopped']?.(scene, redis);
  },
  /** Only one instance knows the last counts, and it gets no request until they are used up. */
  async 'restarted from an older snapshot while one of them is idle'(scene, redis) {
    await redis.send('SAVE');
    await stopWhileIdle(scene, redis);
  },
  async 'restarted empty while one of them is idle'(scene, redis) {
    const { dir } = (await redis.send('CONFIG', 'GET', 'dir')) as { dir: string };
    rmSync(join(dir, 'dump.rdb'), { force: true });
    await stopWhileIdle(scene, redis);
  },
  async frozen(scene, redis) {
    redis.signal('SIGSTOP');
    await untilAway(scene);
    redis.signal('SIGCONT');
    await untilBack(scene);
  },
  async flushed(_, redis) {
    await redis.send('FLUSHALL');
  },
  async full(scene, redis) {
    await redis.send('CONFIG', 'SET', 'maxmemory', '1');
    await untilAway(scene);
    await redis.send('CONFIG', 'SET', 'maxmemory', '0');
    await untilBack(scene);
  },
  /** The server also loses its data, because it copies the empty data of the other server. */
  async 'read-only'(scene, redis) {
    await using other = await TestRedis.start('--repl-diskless-sync-delay', '0');
    await redis.send('REPLICAOF', '127.0.0.1', String(other.port));
    await untilAway(scene);
    await redis.send('REPLICAOF', 'NO', 'ONE');
    await untilBack(scene);
  },
};

async function stopWhileIdle(scene: Scene, redis: TestRedis): Promise<void> {
  const { services, load } = scene;
  const [first, second] = services as [Serving, Serving];
  await sendOnlyTo(scene, second);
  await load.untilAdmitted(load.admitted + LIMIT / 5);
  await sendOnlyTo(scene, first);
  await OUTAGES['stopped']?.(scene, redis);
  await load.untilUsedUp();
  await sendOnlyTo(scene, first, second);
}

/** Sends requests only to these instances. When it resolves, no request to another instance is in flight. */
async function sendOnlyTo({ busy, load }: Scene, ...services: Serving[]): Promise<void> {
  await load.pause();
  busy.splice(0, busy.length, ...services);
  load.resume();
}

const KINDS = [...Object.keys(OUTAGES), 'failed over'];

/** Fails over while no request is in flight, so that the replica has every write of the master. */
async function failOver(scene: Scene, sentinels: TestSentinels): Promise<void> {
  const { load } = scene;
  const { master, replica } = sentinels;
  await load.pause();
  await eventually(
    async () =>
      (await replicationOffset(master, 'master')) === (await replicationOffset(replica, 'slave')),
  );
  await sentinels.failOver();
  load.resume();
  await untilAway(scene);
  await untilBack(scene);
}

async function replicationOffset(server: TestRedis, role: string): Promise<string | undefined> {
  const info = String(await server.send('INFO', 'replication'));
  return new RegExp(`${role}_repl_offset:(\\d+)`).exec(info)?.[1];
}

async function untilAway({ services, load, isLong }: Scene): Promise<void> {
  await eventually(() => areAll(services, 1));
  if (isLong) await load.untilUsedUp();
}

function untilBack({ services }: Scene): Promise<void> {
  return eventually(() => areAll(services, 0));
}

async function areAll(services: readonly Serving[], away: 0 | 1): Promise<boolean> {
  const values = services.map(({ metric }) => metric('redis_away'));
  return (await Promise.all(values)).every((value) => value === away);
}

/** If the UTC day ends too soon, waits for the next day, because a new day starts with a new limit. */
export async function awaitLongDay(seconds = OUTAGE_SECONDS): Promise<void> {
  const left = DAY_SECONDS - ((Date.now() / 1000) % DAY_SECONDS);
  if (left < seconds) await Bun.sleep((left + 1) * 1000);
}

export const redisOutages: Fault = {
  name: 'redis',
  title: `Two instances use a Redis that is ${KINDS.slice(0, -1).join(', ')} or ${KINDS.at(-1)}`,
  unit: 'outages',
  // The short form leaves out the failover, because Sentinels take too long.
  amounts: { full: 12 * KINDS.length, short: KINDS.length - 1 },
  async run({ amount, random }) {
    await using resources = new AsyncDisposableStack();
    const postgres = resources.use(await TestPostgres.start());
    const database = { DATABASE_URL: await postgres.newDatabase() };
    await makeKey(database, 'first');
    const redis = resources.use(await TestRedis.start());
    const serveAll = async (url: string, owner: AsyncDisposableStack) => {
      const settings = { ...database, REDIS_URL: url, INSTANCES: String(INSTANCES) };
      const starts = Array.from({ length: INSTANCES }, () => serve(settings));
      return (await Promise.all(starts)).map((service) => owner.use(service));
    };
    const usual = await serveAll(redis.url, resources);
    const unexpected: string[] = [];
    const beyond: Record<string, number> = {};
    let exits = 0;
    for (let count = 0; count < amount; count++) {
      await awaitLongDay();
      const kind = KINDS[count % KINDS.length] as string;
      const outage = OUTAGES[kind];
      await using own = new AsyncDisposableStack();
      const sentinels = outage === undefined ? own.use(await TestSentinels.start()) : undefined;
      const services = sentinels === undefined ? usual : await serveAll(sentinels.url, own);
      const limits = { perMinute: 1_000_000, perDay: LIMIT };
      const { secret } = await makeKey(database, `limited ${count}`, 'enterprise', limits);
      const busy = [...services];
      await using load = new LimitedLoad(busy, secret);
      await load.untilAdmitted(LIMIT * (0.05 + 0.5 * random()));
      const scene = { services, busy, load, isLong: random() < 0.5 };
      if (sentinels !== undefined) await failOver(scene, sentinels);
      else await outage?.(scene, redis);
      await load.untilUsedUp();
      unexpected.push(...load.unexpected.map((response) => `${kind}: ${response}`));
      beyond[kind] = Math.max(beyond[kind] ?? 0, load.admitted - LIMIT);
      exits += services.filter(({ exitCode }) => exitCode() !== null).length;
    }
    for (const response of unexpected.slice(0, 5)) console.error(response);
    const { flushed = 0, ...others } = beyond;
    return [
      none('responses other than 200 and 429', unexpected.length),
      none(`requests beyond a limit of ${LIMIT}`, Math.max(0, ...Object.values(others))),
      atMost(LIMIT, 'requests beyond the limit after a flush', Math.max(0, flushed)),
      none('instances that exited', exits),
    ];
  },
};
