import { describe, expect, test } from 'bun:test';
import { accountSubject } from '../../src/domain/account.ts';
import { PLANS } from '../../src/domain/plan.ts';
import { startService } from '../support/service.ts';

function limitsIn(response: Response) {
  const number = (name: string) => Number(response.headers.get(`x-ratelimit-${name}`));
  return { limit: number('limit'), remaining: number('remaining'), reset: number('reset') };
}

describe('the limits of a plan', () => {
  test.each([
    ['free', 60],
    ['pro', 300],
    ['business', 1_000],
  ] as const)('%s allows %d requests per minute', async (plan, perMinute) => {
    await using service = await startService();
    const { secret } = await service.makeKey(plan);
    const first = limitsIn(await service.call('/pets', { key: secret }));
    expect(first).toMatchObject({ limit: perMinute, remaining: perMinute - 1 });
  });

  test('free allows 1,000 requests per day', async () => {
    await using service = await startService();
    const { id: keyId, secret, accountName } = await service.makeKey('free');
    const { id, limits } = await service.store.accounts.getAccount(accountName);
    const key = { id: keyId, unbannedAtMs: 0 };
    const caller = { subject: accountSubject({ id, resets: 0 }), limits, key };
    for (let admitted = 0; admitted < 1_000; ) {
      const decision = await service.limiter.take(caller, service.clock.now());
      if (decision.refusedBy === undefined) admitted++;
      else service.clock.advance(decision.retryAfterSeconds);
    }
    const refused = await service.call('/pets', { key: secret });
    expect(await refused.json()).toMatchObject({ code: 'rate_limit_day' });
    expect(limitsIn(refused)).toMatchObject({ limit: 1_000, remaining: 0 });
  });

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
    for (let i = 0; i < 2; i++) {
      const response = await service.call('/pets', { method: 'OPTIONS', key: null, headers });
      expect(response.status).toBe(204);
      expect(limitsIn(response)).toMatchObject({ limit: 60, remaining: 60 });
    }
  });
});
