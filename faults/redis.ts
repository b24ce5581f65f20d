import type { Store } from '../src/domain/backend.ts';
import { eventually, type Serving, serve } from '../test/support/command.ts';
import { FlakyProxy } from '../test/support/flaky-proxy.ts';
import { openStore } from '../test/support/open-store.ts';
import { postgresForSuites } from '../test/support/postgres.ts';
import { TestRedis } from '../test/support/redis.ts';
import { TestSentinels } from '../test/support/redis-sentinel.ts';
import { atMost, type Fault, none } from './fault.ts';
import { awaitLongDay, createLimitedKey } from './limited-key.ts';
import { LimitedLoad } from './limited-load.ts';
import { ownRandom } from './random.ts';

const INSTANCES = 2;
const LIMIT = 300;
/** A pause of a second or more would be an outage. */
const SLOWEST_MS = 300;
/** An outage is over before the day is. */
const OUTAGE_SECONDS = 60;

/** Instances that use a Redis, and clients that send more than the limit. */
interface Scene {
  readonly services: readonly Serving[];
  readonly load: LimitedLoad;
  /** The clients use up their share while Redis is away, or only a part of it. */
  readonly isLong: boolean;
}

/** An outage, and how to begin it on two instances that already run. */
type Outage = (scene: Scene, redis: TestRedis) => Promise<void>;

const OUTAGES: Readonly<Record<string, Outage>> = {
  async stopped(scene, redis) {
    await redis.stop();
    await untilAway(scene);
    await redis.start();
    await untilBack(scene);
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
  /** It also loses its data, because it copies that of the other server. */
  async 'read-only'(scene, redis) {
    await using other = await TestRedis.start('--repl-diskless-sync-delay', '0');
    await redis.send('REPLICAOF', '127.0.0.1', String(other.port));
    await untilAway(scene);
    await redis.send('REPLICAOF', 'NO', 'ONE');
    await untilBack(scene);
  },
};

const KINDS = [...Object.keys(OUTAGES), 'slow', 'failed over'] as const;

/** No request is in flight, so that the replica has every write of the master. */
async function failOver(scene: Scene, { master, replica }: TestSentinels): Promise<void> {
  const { load } = scene;
  await load.pause();
  await eventually(
    async () =>
      (await replicationOffset(master, 'master')) === (await replicationOffset(replica, 'slave')),
  );
  await master.stop();
  load.resume();
  await untilAway(scene);
  await untilBack(scene);
}

async function replicationOffset(server: TestRedis, role: string): Promise<string | undefined> {
  const info = String(await server.send('INFO', 'replication'));
  return new RegExp(`${role}_repl_offset:(\\d+)`).exec(info)?.[1];
}

async function untilAway({ services, load, isLong }: Scene): Promise<void> {
  await eventually(() => areAll(services, 'animal_store_redis_away 1'));
  if (isLong) await load.untilUsedUp();
}

function untilBack({ services }: Scene): Promise<void> {
  return eventually(() => areAll(services, 'animal_store_redis_away 0'));
}

async function areAll(services: readonly Serving[], metric: string): Promise<boolean> {
  const pages = services.map(async ({ started }) => {
    const response = await fetch(`${started.operator}/metrics`);
    return (await response.text()).split('\n');
  });
  return (await Promise.all(pages)).every((lines) => lines.includes(metric));
}

/** Two instances, and the outages that they go through one after the other. */
class Trials implements AsyncDisposable {
  readonly unexpected: string[] = [];
  readonly beyond: Record<string, number> = {};
  readonly #random: () => number;
  readonly #resources = new AsyncDisposableStack();
  readonly #started: Serving[] = [];
  #databaseUrl = '';

  constructor(random: () => number) {
    this.#random = random;
  }

  async start() {
    const postgres = this.#resources.use(await postgresForSuites());
    this.#databaseUrl = await postgres.newDatabase();
    const store = this.#resources.use(await openStore(this.#databaseUrl, 1));
    const redis = this.#resources.use(await TestRedis.start());
    return { store, redis, services: await this.serveOn(redis.url, this.#resources) };
  }

  serveOn(url: string, resources: AsyncDisposableStack): Promise<Serving[]> {
    const settings = {
      ...{ DATABASE_URL: this.#databaseUrl, REDIS_URL: url, INSTANCES: String(INSTANCES) },
    };
    const services = Array.from({ length: INSTANCES }, async () =>
      resources.use(await serve(settings)),
    );
    const all = Promise.all(services);
    return all.then((started) => {
      this.#started.push(...started);
      return started;
    });
  }

  exited(): number {
    return this.#started.filter(({ exitCode }) => exitCode() !== null).length;
  }

  /** Counts the requests of a new account that are admitted before, during and after an outage. */
  async run(
    kind: string,
    store: Store,
    services: readonly Serving[],
    outage: (scene: Scene) => Promise<void>,
  ): Promise<void> {
    await awaitLongDay(OUTAGE_SECONDS);
    const secret = await createLimitedKey(store, { perMinute: 1_000_000, perDay: LIMIT });
    await using load = new LimitedLoad(services, secret);
    await load.untilAdmitted(LIMIT * (0.05 + 0.5 * this.#random()));
    await outage({ services, load, isLong: this.#random() < 0.5 });
    await load.untilUsedUp();
    this.unexpected.push(...load.unexpected.map((response) => `${kind}: ${response}`));
    this.beyond[kind] = Math.max(this.beyond[kind] ?? 0, load.admitted - LIMIT);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#resources.disposeAsync();
  }
}

export const redisOutages: Fault = {
  name: 'redis',
  title: `Redis ${KINDS.slice(0, -1).join(', ')} and ${KINDS.at(-1)}, for two instances`,
  unit: 'outages',
  // A slow server and Sentinels take too long for the short form.
  amounts: { full: 12 * KINDS.length, short: Object.keys(OUTAGES).length },
  async run({ amount, random, step }) {
    await using trials = new Trials(random);
    const { store, redis, services } = await trials.start();
    for (let count = 0; count < amount; count++) {
      const kind = KINDS[count % KINDS.length] as string;
      const outage = OUTAGES[kind];
      await using own = new AsyncDisposableStack();
      if (outage !== undefined) {
        await trials.run(kind, store, services, (scene) => outage(scene, redis));
      } else if (kind === 'slow') {
        const delays = ownRandom(random);
        const delayMs = () => delays() * SLOWEST_MS;
        const proxy = own.use(await FlakyProxy.start(new URL(redis.url), { delayMs }));
        await trials.run(kind, store, await trials.serveOn(proxy.url, own), async () => {});
      } else {
        const sentinels = own.use(await TestSentinels.start());
        const instances = await trials.serveOn(sentinels.url, own);
        await trials.run(kind, store, instances, (scene) => failOver(scene, sentinels));
      }
      step();
    }
    for (const response of trials.unexpected.slice(0, 5)) console.error(response);
    const { flushed = 0, ...others } = trials.beyond;
    return [
      none('responses other than 200 and 429', trials.unexpected.length),
      none(`requests beyond a limit of ${LIMIT}`, Math.max(0, ...Object.values(others))),
      atMost(LIMIT, 'requests beyond the limit after a flush', Math.max(0, flushed)),
      none('instances that exited', trials.exited()),
    ];
  },
};
