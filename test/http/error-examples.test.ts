import { expect, test } from 'bun:test';
import { ERRORS, type ErrorCode } from '#contract/errors.ts';
import { BAN_RULES } from '#domain/ban.ts';
import type { Limits } from '#domain/plan.ts';
import { errorHeaders } from '#reference/example.tsx';
import { REX, startService, startServiceForAll } from '../support/service.ts';
import { Clock } from '../support/time.ts';

const service = await startServiceForAll();

const list = (key: string) => service.call('/pets', { key });

async function secondCall(limits: Limits) {
  const { secret } = await service.makeKey('enterprise', limits);
  await list(secret);
  return list(secret);
}

/** These need a fault, or more time than a test should wait. */
type NotCausedHere = 'request_timeout' | 'internal_error' | 'service_unavailable';

/** How to get each error that a request alone can cause. A code that is missing here is a compile error. */
const CAUSES: Readonly<Record<Exclude<ErrorCode, NotCausedHere>, () => Promise<Response>>> = {
  malformed_json: () => service.post(''),
  validation_failed: () => service.post({ categoryId: 1, status: 'lost' }),
  invalid_parameter: () => service.call('/pets?limit=1000'),
  missing_api_key: () => service.call('/pets', { key: null }),
  invalid_api_key: () => list('ask_wrong'),
  async expired_api_key() {
    const { secret } = await service.makeKey('free', {}, service.clock.now());
    return list(secret);
  },
  async revoked_api_key() {
    const { id, secret } = await service.makeKey();
    await service.store.accounts.revokeKey(id);
    return list(secret);
  },
  async account_suspended() {
    const { secret, accountName } = await service.makeKey();
    await service.store.accounts.suspendAccount(accountName);
    return list(secret);
  },
  read_only_key: async () => service.post(REX, { key: await service.readOnlyKey() }),
  pet_not_found: () => service.call('/pets/0'),
  route_not_found: () => service.call('/nothing'),
  method_not_allowed: () => service.call('/pets', { method: 'DELETE' }),
  payload_too_large: () => service.post({ ...REX, name: 'x'.repeat(70_000) }),
  unsupported_media_type: () => service.post(REX, { headers: { 'Content-Type': 'text/plain' } }),
  async idempotency_key_reused() {
    const headers = { 'Idempotency-Key': 'once' };
    await service.post(REX, { headers });
    return service.post({ ...REX, name: 'Tom' }, { headers });
  },
  async operation_removed() {
    await using later = await startService({ clock: new Clock('2031-01-01T00:00:00Z') });
    return await later.call('/pets/1');
  },
  rate_limit_minute: () => secondCall({ perMinute: 1, perDay: 5 }),
  rate_limit_day: () => secondCall({ perMinute: 5, perDay: 1 }),
  async api_key_banned() {
    const { secret } = await service.makeKey('enterprise', { perMinute: 100, perDay: 1 });
    for (let sent = 0; sent <= BAN_RULES.mostInFlight; sent++) await list(secret);
    service.clock.advance(2);
    for (let strikes = 1; strikes < BAN_RULES.strikesToBan; strikes++) await list(secret);
    return list(secret);
  },
};

/** The limit and the wait differ. Both are written like 1,000. */
const withoutCounts = (text: string) => text.replace(/(of|after) \d{1,3}(,\d{3})*\b/g, '$1 #');

test.each(Object.keys(CAUSES) as (keyof typeof CAUSES)[])(
  'the documented example of %s has the message and the headers of the service',
  async (code) => {
    const response = await CAUSES[code]();
    const error = (await response.json()) as { code: string; message: string };
    expect(error.code).toBe(code);
    expect(withoutCounts(error.message)).toBe(withoutCounts(ERRORS[code].example));
    for (const name of ['Allow', 'Link', 'Retry-After', 'WWW-Authenticate']) {
      expect(response.headers.has(name)).toBe(name in errorHeaders(code));
    }
  },
);
