import { describe, expect, test } from 'bun:test';
import { BACKENDS, type BackendName } from '../support/store.ts';
import { startStagingForAll } from './test-staging.ts';

const REMOVAL = '2030-12-05T00:00:00Z';

const start = async (name: BackendName) => [name, await startStagingForAll(name)] as const;
const all = await Promise.all(BACKENDS.map(start));

/** Everything that takes time in production, at a test time. Each test has its own accounts. */
describe.each(all)('a test clock on %s', (_, staging) => {
  const statusAt = (path: string) => async (key: string, testTime?: string) =>
    (await staging.call(path, { key, testTime })).status;
  const status = statusAt('/v1/pets');
  const statusOfGetPet = statusAt('/v1/pets/0');
  const dateOf = async (key: string, testTime?: string) => {
    const response = await staging.call('/v1/pets', { key, testTime });
    expect(response.status).toBe(200);
    return response.headers.get('Date');
  };

  test('a request is served at its test time, and the clock runs on from there', async () => {
    const { key } = await staging.makeKey();
    expect(await dateOf(key)).toBe(new Date(staging.clock.now()).toUTCString());
    expect(await dateOf(key, '2027-02-03T04:05:06Z')).toBe('Wed, 03 Feb 2027 04:05:06 GMT');
    staging.clock.advance(10);
    expect(await dateOf(key)).toBe('Wed, 03 Feb 2027 04:05:16 GMT');
    expect(await dateOf(key, '2027-02-03T04:05:06Z')).toBe('Wed, 03 Feb 2027 04:05:16 GMT');
    expect(await dateOf(key, 'now')).toBe(new Date(staging.clock.now()).toUTCString());
  });

  test('a clock never goes back', async () => {
    const { key } = await staging.makeKey();
    const toThePast = await staging.call('/v1/pets', { key, testTime: '2020-01-01T00:00:00Z' });
    expect((await toThePast.json()).message).toContain('must not be before the present');
    await dateOf(key, '2030-01-01T00:00:00Z');
    staging.clock.advance(1);
    const back = await staging.call('/v1/pets', { key, testTime: '2030-01-01T00:00:00.999Z' });
    expect(back.headers.get('Date')).toBe('Tue, 01 Jan 2030 00:00:01 GMT');
    expect(back.headers.get('X-RateLimit-Remaining')).toBe('999998');
    expect((await back.json()).message).toContain('which is 2030-01-01T00:00:01.000Z; send');
    expect(await dateOf(key, '2030-01-01T00:00:01Z')).toBe('Tue, 01 Jan 2030 00:00:01 GMT');
  });

  test('getPet is removed at the test time of its account, and of no other', async () => {
    const [{ key }, { key: other }] = [await staging.makeKey(), await staging.makeKey()];
    expect(await statusOfGetPet(key, '2030-12-04T23:59:59.999Z')).toBe(404);
    const created = await staging.call('/v1/pets', { key, pet: 'Ada' });
    expect(created.headers.get('Location')).toMatch(/\/v1\/pets\/\d+$/);
    staging.clock.advance(0.001);
    expect(await statusOfGetPet(key)).toBe(410);
    const after = await staging.call('/v1/pets', { key, pet: 'Ada' });
    expect(after.headers.get('Location')).toContain('/v1/pets?limit=1&after=');
    expect(await statusOfGetPet(other)).toBe(404);
    expect(await statusOfGetPet(key, 'now')).toBe(404);
  });

  test('the usage of a key is that at its test time, and a look moves no clock and never fails as the key asks', async () => {
    const { key } = await staging.makeKey({ failure: 'internal_error' });
    await status(key, '2030-01-01T12:00:00Z');
    const headers = { Accept: 'application/json' };
    const usage = await staging.call('/usage', { key, headers, testTime: '2031-01-01T00:00:00Z' });
    expect((await usage.json()).windows.day).toEqual({
      limit: 1_000_000,
      remaining: 999_999,
      resetAtSeconds: Date.parse('2030-01-02T00:00:00Z') / 1000,
    });
  });

  test('a request never sees an earlier time than the one it asks for', async () => {
    const { key } = await staging.makeKey();
    staging.clock.advance(0.005);
    expect(await statusOfGetPet(key, REMOVAL)).toBe(410);
    // This request arrived before the one that moved the clock, or the clock of its instance is behind.
    staging.clock.advance(-0.005);
    expect(await statusOfGetPet(key, REMOVAL)).toBe(410);
  });

  test('X-Test-Time: now clears the counts of a test time and of the real time', async () => {
    const { key } = await staging.makeKey({ limits: { perMinute: 9, perDay: 2 } });
    for (const testTime of ['2030-01-01T00:00:00Z', undefined]) {
      expect(await status(key, testTime)).toBe(200);
      if (testTime !== undefined) expect(await status(key)).toBe(200);
      expect(await status(key)).toBe(429);
      expect(await status(key, 'now')).toBe(200);
    }
  });

  test('a key expires at the test time, and can then still return to the real time', async () => {
    const expiresAtMs = Date.parse('2027-06-01T00:00:00Z');
    const { key, accountName } = await staging.makeKey({ expiresAtMs });
    expect(await status(key, '2027-05-31T23:59:59.999Z')).toBe(200);
    expect(await status(key, '2027-06-01T00:00:00Z')).toBe(401);
    const { key: another } = await staging.makeKey({ accountName });
    expect(await dateOf(another)).toBe('Tue, 01 Jun 2027 00:00:00 GMT');
    expect(await status(key, 'now')).toBe(200);
  });

  test('an Idempotency-Key lasts for 24 hours of the test time', async () => {
    const { key } = await staging.makeKey();
    const headers = { 'Idempotency-Key': 'once' };
    const create = async (testTime: string) => {
      const response = await staging.call('/v1/pets', { key, testTime, headers, pet: 'A' });
      return [response.status, response.headers.get('Idempotent-Replayed')];
    };
    expect(await create('2031-01-01T00:00:00Z')).toEqual([201, null]);
    expect(await create('2031-01-01T23:00:00Z')).toEqual([201, 'true']);
    expect(await create('2031-01-02T00:00:00Z')).toEqual([201, null]);
  });
});
