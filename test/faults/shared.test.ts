import { expect, test } from 'bun:test';
import { SQL } from 'bun';
import { type ApiCaller, apiCaller } from '../support/api-caller.ts';
import { sharedSettings } from '../support/backends.ts';
import { eventually, makeKey, run, runJson, serve } from '../support/command.ts';
import { TestRedis } from '../support/redis.ts';
import { withinOneDay } from '../support/within-one-day.ts';

/** Real instances on a real PostgreSQL and a real Redis, both of which have outages. */

async function remaining(response: Promise<Response>): Promise<number> {
  return Number((await response).headers.get('x-ratelimit-remaining'));
}

test(
  'two instances share pets, limits, keys and plans',
  withinOneDay(async () => {
    const settings = await sharedSettings();
    await using first = await serve(settings);
    await using second = await serve(settings);
    expect(first.started.demoKey).toBeUndefined();
    expect(first.started.next).toContain('accounts create NAME');
    const limits = { perMinute: 1_000_000, perDay: 1_000 };
    const { id, secret } = await makeKey(settings, 'both', 'enterprise', limits);
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

    await runJson(settings, 'keys', 'revoke', String(id), '--yes');
    for (const caller of [here, there]) {
      await eventually(async () => (await caller.get('/pets')).status === 401);
    }
  }),
);

test('a ban is logged once, by the instance that started it', async () => {
  const settings = await sharedSettings();
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
  const log = () => `${first.stderr()}${second.stderr()}`;
  await eventually(() => log().endsWith('\n'));
  const lines = log().trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', account: 'stubborn', key: id, msg: expect.stringContaining('banned') },
  ]);
});

test(
  'an outage of Redis adds no quota, and shows in a metric and in the log',
  withinOneDay(async () => {
    await using own = await TestRedis.start();
    const { DATABASE_URL } = await sharedSettings();
    const settings = { DATABASE_URL, REDIS_URL: own.url, INSTANCES: '2' };
    const limits = { perMinute: 1_000_000, perDay: 1_000 };
    const { secret } = await makeKey(settings, 'limited', 'enterprise', limits);
    await using service = await serve(settings);
    const send = () => remaining(apiCaller(service.started.api, secret).get('/pets'));
    expect(await send()).toBe(999);
    await own.stop();
    // Its share is half of what was left.
    expect(await send()).toBeWithin(490, 500);
    expect(await service.metric('animal_store_redis_away')).toBe(1);
    await own.start();
    await eventually(async () => (await service.metric('animal_store_redis_away')) === 0);
    expect(await send()).toBeLessThan(998);
    await eventually(() => service.stderr().includes('Redis is back'));
    expect(service.stderr().match(/Redis is away/g)).toHaveLength(1);
  }),
);

test('a fault of PostgreSQL is logged without the row that caused it', async () => {
  const settings = await sharedSettings();
  const { secret } = await makeKey(settings, 'unlucky');
  await using service = await serve(settings);
  await using sql = new SQL(settings.DATABASE_URL, { max: 1 });
  await sql`ALTER TABLE pets ADD CONSTRAINT no_rex CHECK (name <> 'Rex')`;
  expect((await apiCaller(service.started.api, secret).add('Rex')).status).toBe(500);
  await eventually(() => service.stderr().endsWith('\n'));
  expect(service.stderr()).toContain('no_rex');
  expect(service.stderr()).not.toContain('Rex');
});

test(
  'one instance runs on PostgreSQL without Redis, and counts in process',
  withinOneDay(async () => {
    const { DATABASE_URL } = await sharedSettings();
    const settings = { DATABASE_URL };
    const limits = { perMinute: 1_000_000, perDay: 300 };
    const { secret } = await makeKey(settings, 'alone', 'enterprise', limits);
    await using service = await serve(settings);
    const caller = apiCaller(service.started.api, secret);
    expect((await caller.add('Rex')).status).toBe(201);
    expect(await remaining(caller.get('/pets'))).toBe(298);
    const { stderr } = await run(settings, 'accounts', 'list');
    expect(stderr).toStartWith(
      'Counts and bans are not known. Without REDIS_URL each instance counts in its own memory',
    );
    expect((await run(settings, 'keys', 'list')).exitCode).toBe(0);
  }),
);
