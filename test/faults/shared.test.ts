import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type ApiCaller, apiCaller } from '../support/api-caller.ts';
import {
  eventually,
  makeKey,
  run,
  runJson,
  type Serving,
  type Settings,
  serve,
} from '../support/command.ts';
import { FakeTime } from '../support/fake-time.ts';
import { LoadBalancer } from '../support/load-balancer.ts';
import { amount } from '../support/long.ts';
import { postgresForSuites, TestPostgres } from '../support/postgres.ts';
import { redisForSuites, TestRedis } from '../support/redis.ts';

/** Real instances on a real PostgreSQL and a real Redis, both of which have outages. */

let postgres: Awaited<ReturnType<typeof postgresForSuites>>;
let redis: Awaited<ReturnType<typeof redisForSuites>>;
beforeAll(async () => {
  postgres = await postgresForSuites();
  redis = await redisForSuites();
});
afterAll(async () => {
  await postgres[Symbol.asyncDispose]();
  await redis[Symbol.asyncDispose]();
});

/** Both instances are replaced once. */
const ROLLING_RESTARTS = amount(2, 20);

/** A hundred times as long as the proxy takes to notice that an instance is stopping. */
const DRAIN_SECONDS = '5';

async function newSettings(changes: Settings = {}): Promise<Settings> {
  const [database, counts] = [await postgres.newDatabase(), await redis.newDatabase()];
  return { DATABASE_URL: database, REDIS_URL: counts, ...changes };
}

async function metric(service: Serving, name: string): Promise<number> {
  const text = await (await fetch(`${service.started.operator}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

async function remaining(response: Promise<Response>): Promise<number> {
  return Number((await response).headers.get('x-ratelimit-remaining'));
}

describe('two instances', () => {
  test('share pets, limits, keys and plans', async () => {
    const settings = await newSettings();
    await using first = await serve(settings);
    await using second = await serve(settings);
    expect(first.started.demoKey).toBeUndefined();
    expect(first.started.next).toContain('"accounts create"');
    const { id, secret } = await makeKey(settings, 'both', 'free');
    const here = apiCaller(first.started.api, secret);
    const there = apiCaller(second.started.api, secret);

    const pet = (await (await here.add('Rex')).json()) as { id: number };
    expect(await (await there.get(`/pets/${pet.id}`)).json()).toEqual(pet);
    const before = await remaining(here.get('/pets'));
    expect(await remaining(there.get('/pets'))).toBe(before - 1);

    await runJson(settings, 'accounts', 'set-plan', 'both', '--plan', 'pro');
    const limitOf = async (caller: ApiCaller) =>
      (await caller.get('/pets')).headers.get('x-ratelimit-limit');
    await eventually(
      async () => (await limitOf(here)) === '300' && (await limitOf(there)) === '300',
    );
    const usage = await runJson<object>(settings, 'accounts', 'show', 'both');
    expect(JSON.stringify(usage)).toMatch(/"day":\{"used":[1-9]/);

    await runJson(settings, 'keys', 'revoke', String(id));
    // An instance caches a key for at most half a second.
    await Bun.sleep(500);
    expect((await here.get('/pets')).status).toBe(401);
    expect((await there.get('/pets')).status).toBe(401);
  });
});

test('an instance whose clock is 25 hours ahead doubles no retry, on any instance', async () => {
  const settings = await newSettings({ INSTANCES: '2' });
  const { secret } = await makeKey(settings, 'retrying');
  using ahead = new FakeTime(Date.now() + 25 * 3_600_000);
  await using fast = await serve({ ...settings, ...ahead.environment });
  await using healthy = await serve(settings);
  const create = async ({ started }: Serving, key: string) => {
    const response = await apiCaller(started.api, secret).add(key, key);
    expect(response.status).toBe(201);
    const { id } = (await response.json()) as { id: number };
    return { key, id, isReplay: response.headers.has('idempotent-replayed') };
  };
  const keysOf = (writer: string) => Array.from({ length: 20 }, (_, index) => `${writer}-${index}`);
  const first = [];
  for (const key of keysOf('healthy')) first.push(await create(healthy, key));
  // Each of these also deletes expired keys.
  for (const key of keysOf('fast')) first.push(await create(fast, key));
  for (const instance of [healthy, fast]) {
    for (const { key, id } of first) {
      expect(await create(instance, key)).toEqual({ key, id, isReplay: true });
    }
  }
});

test('stores on one Redis share no counts, also those of staging, and commands show their own', async () => {
  const first = await newSettings();
  const second = { ...first, DATABASE_URL: await postgres.newDatabase() };
  const staging = { ...first, DATABASE_URL: await postgres.newDatabase(), STAGING: 'on' };
  for (const [settings, requests] of [
    [first, 3],
    [second, 1],
    [staging, 2],
  ] as const) {
    await using service = await serve(settings);
    const { api } = service.started;
    expect(await remaining(fetch(`${api}/pets`))).toBe(59);
    const limits = { perMinute: 1_000_000, perDay: 100 };
    const { secret } = await makeKey(settings, 'the first', 'enterprise', limits);
    for (let count = 1; count <= requests; count++) {
      expect(await remaining(apiCaller(api, secret).get('/pets'))).toBe(100 - count);
    }
    const shown = await runJson<object>(settings, 'accounts', 'show', 'the first');
    expect(shown).toMatchObject({ id: 1, usage: { day: { used: requests } } });
  }
});

test('a ban is logged once, by the instance that started it', async () => {
  const settings = await newSettings();
  const limits = { perMinute: 1_000_000, perDay: 1 };
  const { id, secret } = await makeKey(settings, 'stubborn', 'enterprise', limits);
  await using first = await serve(settings);
  await using second = await serve(settings);
  const callers = [first, second].map(({ started }) => apiCaller(started.api, secret));
  const isBanned = async (): Promise<boolean> => {
    const bursts = callers.flatMap((caller) =>
      Array.from({ length: 50 }, async () => (await caller.get('/pets')).text()),
    );
    return (await Promise.all(bursts)).some((body) => body.includes('api_key_banned'));
  };
  await eventually(isBanned);
  await isBanned();
  const lines = `${first.stderr()}${second.stderr()}`.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', account: 'stubborn', key: id, msg: expect.stringContaining('banned') },
  ]);
});

describe('an outage of Redis', () => {
  test.each(['stopped', 'frozen'])(
    '(%s) causes no 5xx, adds no quota, and shows in a metric and in the log',
    async (kind) => {
      await using own = await TestRedis.start();
      const settings = await newSettings({ REDIS_URL: own.url, INSTANCES: '2' });
      const { secret } = await makeKey(settings, 'limited', 'enterprise', {
        perMinute: 1000000,
        perDay: 1000,
      });
      await using service = await serve(settings);
      const caller = apiCaller(service.started.api, secret);
      const statuses = new Set<number>();
      const limits = new Set<string | null>();
      const send = async (): Promise<number> => {
        const { status, headers } = await caller.get('/pets');
        statuses.add(status);
        limits.add(headers.get('x-ratelimit-limit'));
        return Number(headers.get('x-ratelimit-remaining'));
      };
      expect(await send()).toBe(999);
      if (kind === 'stopped') await own.stop();
      else own.signal('SIGSTOP');
      const whileAway: number[] = [];
      for (let i = 0; i < 20; i++) whileAway.push(await send());
      expect(await metric(service, 'animal_store_redis_away')).toBe(1);
      // Half of 999, minus one or two requests sent shortly before.
      const share = (whileAway[0] ?? 0) + 1;
      expect([498, 497]).toContain(share);
      expect(whileAway).toEqual(Array.from({ length: 20 }, (_, index) => share - 1 - index));
      if (kind === 'stopped') await own.start();
      else own.signal('SIGCONT');
      await eventually(async () => (await metric(service, 'animal_store_redis_away')) === 0);
      // A frozen Redis may also have counted the request that was in flight.
      expect([978, 977]).toContain(await send());
      expect(limits).toEqual(new Set(['1000']));
      expect(statuses).toEqual(new Set([200]));
      expect(service.stderr().match(/Redis is away/g)).toHaveLength(1);
      expect(service.stderr().match(/Redis is back/g)).toHaveLength(1);
    },
  );
});

describe('an outage of PostgreSQL', () => {
  test('returns 503 with all headers for a cached key, and needs no restart afterwards', async () => {
    await using own = await TestPostgres.start();
    const settings = await newSettings({ DATABASE_URL: await own.newDatabase() });
    const { secret } = await makeKey(settings, 'patient');
    await using service = await serve(settings);
    const caller = apiCaller(service.started.api, secret);
    expect((await caller.get('/pets')).status).toBe(200);
    await own.stop();
    // Wait until the cached key expires, so that PostgreSQL is queried again.
    await Bun.sleep(600);
    const away = await caller.get('/pets');
    expect(away.status).toBe(503);
    expect(away.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(away.headers.get('x-ratelimit-limit')).toBe('1000000');
    expect(await away.json()).toMatchObject({ code: 'service_unavailable', status: 503 });
    expect((await caller.add('Lost?')).status).toBe(503);
    expect((await fetch(`${service.started.operator}/health/ready`)).status).toBe(503);
    await own.start();
    await eventually(async () => (await caller.get('/pets')).status === 200);
  });
});

test('an instance that is draining asks its callers to reconnect', async () => {
  const settings = await newSettings({ DRAIN_SECONDS: '600' });
  const { secret } = await makeKey(settings, 'draining');
  await using service = await serve(settings);
  const caller = apiCaller(service.started.api, secret);
  expect((await caller.get('/pets')).headers.get('connection')).not.toBe('close');
  service.kill('SIGTERM');
  await eventually(
    async () => (await fetch(`${service.started.operator}/health/ready`)).status === 503,
  );
  const draining = await caller.get('/pets');
  expect([draining.status, draining.headers.get('connection')]).toEqual([200, 'close']);
});

test('a rolling restart of two instances behind a proxy fails no request', async () => {
  const settings = await newSettings({ DRAIN_SECONDS });
  const { secret } = await makeKey(settings, 'rolling');
  await using proxy = new LoadBalancer();
  await using resources = new AsyncDisposableStack();
  let instances = [await serve(settings), await serve(settings)];
  for (const instance of instances) proxy.add(instance);
  resources.defer(async () => {
    for (const instance of instances) await instance[Symbol.asyncDispose]();
  });
  await eventually(() => proxy.readyCount === 2);

  const caller = apiCaller(`${proxy.url}/v1`, secret);
  const statuses = new Map<number, number>();
  let running = true;
  const load = Array.from({ length: 8 }, async (_, worker) => {
    for (let count = 0; running; count++) {
      const { status } =
        count % 5 === 0
          ? await caller.add(`${worker}-${count}`)
          : await caller.get('/pets?limit=1');
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      await Bun.sleep(10);
    }
  });
  for (let restart = 0; restart < ROLLING_RESTARTS; restart++) {
    const [stopping, staying] = instances as [Serving, Serving];
    stopping.kill('SIGTERM');
    expect(await stopping.exited).toBe(0);
    proxy.remove(stopping);
    const next = await serve(settings);
    instances = [staying, next];
    proxy.add(next);
    await eventually(() => proxy.readyCount === 2);
  }
  running = false;
  await Promise.all(load);
  expect([...statuses.keys()].sort()).toEqual([200, 201]);
  console.log(
    `rolling restarts: ${[...statuses.values()].reduce((a, b) => a + b)} requests, 0 failed`,
  );
});

test('without Redis, commands show what they know, and why the counts are missing', async () => {
  const settings = await newSettings({ REDIS_URL: 'redis://127.0.0.1:1' });
  await makeKey(settings, 'offline');
  const { exitCode, stderr } = await run(settings, 'accounts', 'list');
  expect(exitCode).toBe(0);
  expect(stderr).toBe(
    'Counts and bans are not known. Cannot use Redis at 127.0.0.1:1: no server accepts connections there. Check REDIS_URL.\n',
  );
});

test('one instance runs on PostgreSQL without Redis, and counts in process', async () => {
  const settings = { DATABASE_URL: await postgres.newDatabase() };
  const { secret } = await makeKey(settings, 'alone', 'pro');
  await using service = await serve(settings);
  const caller = apiCaller(service.started.api, secret);
  expect((await caller.add('Rex')).status).toBe(201);
  expect(await remaining(caller.get('/pets'))).toBe(298);
  const { stderr } = await run(settings, 'accounts', 'list');
  expect(stderr).toStartWith(
    'Counts and bans are not known. Without REDIS_URL each instance counts in its own memory',
  );
  expect((await run(settings, 'keys', 'list')).exitCode).toBe(0);
});

test('a start without PostgreSQL fails with one line', async () => {
  const settings = {
    DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/db',
    PORT: '0',
    OPERATOR_PORT: '0',
  };
  for (const words of [['serve'], ['accounts', 'list']]) {
    const { exitCode, stderr } = await run(settings, ...words);
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      'Cannot use the PostgreSQL database "db" at 127.0.0.1:1: no server accepts connections ' +
        'there. Check that the server runs, and check DATABASE_URL.\n',
    );
  }
});
