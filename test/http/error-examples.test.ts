import { afterAll, beforeAll, expect, test } from 'bun:test';
import { ERRORS } from '../../src/contract/errors.ts';
import type { ErrorCode } from '../../src/domain/error.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const REX = { name: 'Rex', categoryId: 1 };

async function secretWhich(ends: 'expires' | 'is revoked'): Promise<string> {
  const nowMs = service.clock.now();
  const key = await service.makeKey('free', {}, ends === 'expires' ? nowMs : undefined);
  if (ends === 'is revoked') await service.store.accounts.revokeKey(key.id, nowMs);
  return key.secret;
}

/** How to get each error that a request alone brings about. */
const WAYS: Readonly<Partial<Record<ErrorCode, () => Promise<Response>>>> = {
  malformed_json: () => service.post(''),
  validation_failed: () => service.post({ categoryId: 1, status: 'lost' }),
  invalid_parameter: () => service.call('/pets?limit=1000'),
  missing_api_key: () => service.call('/pets', { key: null }),
  invalid_api_key: () => service.call('/pets', { key: 'ask_wrong' }),
  expired_api_key: async () => service.call('/pets', { key: await secretWhich('expires') }),
  revoked_api_key: async () => service.call('/pets', { key: await secretWhich('is revoked') }),
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
  async rate_limit_minute() {
    const { secret } = await service.makeKey('enterprise', { perMinute: 1, perDay: 5 });
    await service.call('/pets', { key: secret });
    return service.call('/pets', { key: secret });
  },
  async rate_limit_day() {
    const { secret } = await service.makeKey('enterprise', { perMinute: 5, perDay: 1 });
    await service.call('/pets', { key: secret });
    return service.call('/pets', { key: secret });
  },
};

const withoutNumbers = (text: string) => text.replace(/\d+/g, '#');

test.each(Object.keys(WAYS) as ErrorCode[])(
  'the documented example of %s is what the service says',
  async (code) => {
    const response = await WAYS[code]?.();
    const error = (await response?.json()) as { code: string; message: string };
    expect(error.code).toBe(code);
    expect(withoutNumbers(error.message)).toBe(withoutNumbers(ERRORS[code].example));
  },
);
