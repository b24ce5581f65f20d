import { expect, test } from 'bun:test';
import { serveWithKey } from '../support/command.ts';
import { connectTo } from '../support/postgres.ts';
import { lacks } from '../support/programs.ts';
import { TestRedis } from '../support/redis.ts';
import { sharedSettings } from '../support/store.ts';
import { eventually } from '../support/time.ts';

/** Real instances on a real PostgreSQL and a real Redis, both of which have outages. */
const testShared = test.skipIf(lacks('postgres', 'redis-server'));

testShared('a ban is logged once', async () => {
  await using service = await serveWithKey(await sharedSettings(), { perDay: 1 });
  await service.untilBanned();
  // The same ban refuses these requests.
  await service.untilBanned();
  await eventually(() => service.stderr().endsWith('\n'));
  // A second line would not be valid JSON.
  expect(JSON.parse(service.stderr())).toMatchObject({
    level: 'warn',
    account: service.account,
    key: service.keyId,
    bannedUntil: expect.stringMatching(/^20.*Z$/),
    msg: expect.stringContaining('banned'),
  });
});

testShared('an outage of Redis shows in a metric and in the log', async () => {
  await using own = await TestRedis.start();
  const settings = { ...(await sharedSettings()), REDIS_URL: own.url };
  await using service = await serveWithKey(settings);
  await service.get('/pets');
  expect(await service.metric('redis_round_trip_seconds_count')).toBeGreaterThan(0);
  await own.stop();
  await service.get('/pets');
  expect(await service.metric('redis_away')).toBe(1);
  await own.start();
  await eventually(async () => (await service.metric('redis_away')) === 0);
  await eventually(() => service.stderr().includes('Redis is back'));
  expect(service.stderr().match(/Redis is away/g)).toHaveLength(1);
});

testShared(
  'a fault of PostgreSQL is logged without the row that caused it, and at the stop its repeats',
  async () => {
    const settings = await sharedSettings();
    await using service = await serveWithKey(settings);
    await using sql = connectTo(settings.DATABASE_URL);
    await sql`ALTER TABLE pets ADD CONSTRAINT no_rex CHECK (name <> 'Rex')`;
    for (let time = 0; time < 3; time++) expect((await service.add('Rex')).status).toBe(500);
    await service.stop();
    expect(service.stderr()).toContain('"repeats":2');
    expect(service.stderr()).toContain('no_rex');
    expect(service.stderr()).not.toContain('Rex');
  },
);
