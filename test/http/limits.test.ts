import { describe, expect, test } from 'bun:test';
import { accountSubject } from '../../src/domain/account.ts';
import { PLANS } from '../../src/domain/plan.ts';
import { startService } from '../support/service.ts';

function limitsIn(response: Response) {
  const number = (name: string) => Number(response.headers.get(`x-ratelimit-${name}`));
  return { limit: number('limit'), remaining: number('remaining'), reset: number('reset') };
}

describe('the limits of a plan', () => {
  const fixed = [
    ['free', 60, 1_000],
    ['pro', 300, 10_000],
    ['business', 1_000, 100_000],
  ] as const;

  test.each(fixed)('%s allows %d requests per minute', async (plan, perMinute) => {
    await using service = await startService();
    const { secret } = await service.makeKey(plan);
    const first = limitsIn(await service.call('/pets', { key: secret }));
    expect(first).toMatchObject({ limit: perMinute, remaining: perMinute - 1 });
    const rest = Array.from({ length: perMinute - 1 }, () =>
      service.call('/pets', { key: secret }),
    );
    expect((await Promise.all(rest)).every(({ ok }) => ok)).toBe(true);
    const refused = await service.call('/pets', { key: secret });
    expect(refused.status).toBe(429);
    expect(limitsIn(refused)).toEqual({ limit: perMinute, remaining: 0, reset: first.reset });
  });

  test.each(fixed)(
    '%s, with %d requests per minute, allows %d per day',
    async (plan, perMinute, perDay) => {
      await using service = await startService();
      const { id: keyId, secret, accountName } = await service.makeKey(plan);
      const { id, limits } = await service.store.accounts.getAccount(accountName);
      const key = { id: keyId, unbannedAtMs: 0 };
      const caller = { subject: accountSubject({ id: id, resets: 0 }), limits, key };
      let admitted = 0;
      while (admitted < perDay) {
        const decision = await service.limiter.take(caller, service.clock.now());
        if (decision.refusedBy === undefined) admitted++;
        else service.clock.advance(decision.retryAfterSeconds);
      }
      expect(admitted).toBe(perDay);
      expect(perMinute * 720).toBeGreaterThan(perDay); // noon to midnight is long enough
      const refused = await service.call('/pets', { key: secret });
      expect(await refused.json()).toMatchObject({ code: 'rate_limit_day' });
      expect(limitsIn(refused)).toMatchObject({ limit: perDay, remaining: 0 });
    },
  );

  test('enterprise has the limits of its account', async () => {
    await using service = await startService();
    const { secret } = await service.makeKey('enterprise', { perMinute: 7, perDay: 5 });
    expect(limitsIn(await service.call('/pets', { key: secret }))).toMatchObject({
      limit: 5,
      remaining: 4,
    });
  });

  test('a change of plan takes effect within a second', async () => {
    await using service = await startService();
    const { secret, accountName } = await service.makeKey('free');
    await service.call('/pets', { key: secret });
    await service.store.accounts.setPlan(accountName, 'pro', PLANS.pro.limits);
    service.clock.advance(1);
    expect(limitsIn(await service.call('/pets', { key: secret }))).toMatchObject({
      limit: 300,
      remaining: 298,
    });
  });
});

describe('counted requests', () => {
  test('every request under /v1 counts unless its response is 429', async () => {
    await using service = await startService();
    const { secret: key } = await service.makeKey('free');
    const headers = { 'Content-Type': 'application/json' };
    const statuses: number[] = [];
    const remaining: number[] = [];
    for (const [path, options] of [
      ['/pets', {}],
      ['/pets', { method: 'HEAD' }],
      ['/pets', { method: 'POST', body: '{"name":"Rex","categoryId":1}', headers }],
      ['/pets', { method: 'POST', body: '{', headers }],
      ['/pets', { method: 'POST', body: 'x' }],
      ['/pets?limit=0', {}],
      ['/pets/999', {}],
      ['/nothing', {}],
      ['/pets', { method: 'DELETE' }],
      ['/pets', { method: 'OPTIONS' }],
      ['', {}],
    ] as const) {
      const response = await service.call(path, { key, ...options });
      statuses.push(response.status);
      remaining.push(limitsIn(response).remaining);
    }
    expect(statuses).toEqual([200, 200, 201, 400, 415, 400, 404, 404, 405, 204, 404]);
    expect(remaining).toEqual([59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49]);
  });

  test('a CORS preflight does not count', async () => {
    await using service = await startService();
    const headers = { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'POST' };
    for (let i = 0; i < 100; i++) {
      const response = await service.call('/pets', { method: 'OPTIONS', key: null, headers });
      expect(response.status).toBe(204);
      expect(limitsIn(response)).toMatchObject({ limit: 60, remaining: 60 });
    }
  });

  test('a request without a valid key counts for its address and not for an account', async () => {
    await using service = await startService();
    const { secret, id } = await service.makeKey('free');
    await service.store.accounts.revokeKey(id, service.clock.now());
    for (let i = 0; i < 60; i++) await service.call('/pets', { key: secret });
    expect((await service.call('/pets', { key: secret })).status).toBe(429);
    const { secret: fresh } = await service.makeKey('free');
    expect(limitsIn(await service.call('/pets', { key: fresh })).remaining).toBe(59);
  });

  test('two keys of one account share its limits', async () => {
    await using service = await startService();
    const first = await service.makeKey('free');
    const second = await service.anotherKey(first.accountName);
    await service.call('/pets', { key: first.secret });
    expect(limitsIn(await service.call('/pets', { key: second })).remaining).toBe(58);
  });
});

test('Remaining falls by one with each of 500 concurrent requests', async () => {
  await using service = await startService();
  const responses = await Promise.all(Array.from({ length: 500 }, () => service.call('/pets')));
  const remaining = responses.map((response) => limitsIn(response).remaining).sort((a, b) => b - a);
  expect(remaining).toEqual(Array.from({ length: 500 }, (_, index) => 999_999 - index));
});
