import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { ErrorCode } from '../../src/contract/errors.ts';
import { OPERATIONS, type OperationName } from '../../src/contract/operations.ts';
import { StoreUnavailableError } from '../../src/domain/error.ts';
import { mintSecret } from '../../src/domain/key-secret.ts';
import type { PetStore } from '../../src/domain/pet.ts';
import { platform } from '../../src/platform.ts';
import { type CallOptions, startService, type TestService } from '../support/service.ts';

export type Send = (service: TestService, options?: CallOptions) => Promise<Response>;

const LEAK = 'connection string postgres://user:hunter2@db';

type Failing = (error: Error) => never | Promise<never>;

/** As SQLite fails, and as PostgreSQL does. */
const WAYS_TO_FAIL: readonly [name: string, Failing][] = [
  [
    'at once',
    (error) => {
      throw error;
    },
  ],
  ['later', (error) => Promise.reject(error)],
];

function failingPets(failing: Failing, error: Error): PetStore {
  const fail = () => failing(error);
  return { getPet: fail, listPets: fail, createPet: async () => fail() };
}

/** What every operation answers alike when it cannot do what was asked. */
export function failureSuite(operation: OperationName, send: Send): void {
  const { method, path, errors } = OPERATIONS[operation];

  async function expectError(
    response: Response,
    status: number,
    code: ErrorCode,
  ): Promise<{ message: string }> {
    expect(response.status).toBe(status);
    const body = (await response.json()) as { code: ErrorCode; message: string };
    expect(body.code).toBe(code);
    expect(errors as readonly ErrorCode[]).toContain(code);
    return body;
  }

  describe(`${operation}: ${method} ${path}`, () => {
    let service: TestService;
    beforeAll(async () => {
      service = await startService();
    });
    afterAll(() => service[Symbol.asyncDispose]());

    test('without a key it is 401 missing_api_key with a plain challenge', async () => {
      const response = await send(service, { key: null });
      await expectError(response, 401, 'missing_api_key');
      expect(response.headers.get('www-authenticate')).toBe('Bearer realm="animal-store"');
    });

    test.each(['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer ', 'Token ask_x', ''])(
      'with %p for a key it is 401 missing_api_key',
      async (authorization) => {
        const headers = { Authorization: authorization };
        await expectError(await send(service, { key: null, headers }), 401, 'missing_api_key');
      },
    );

    test('with a malformed key it is 401 invalid_api_key', async () => {
      for (const key of ['x', 'ask_', `${service.key.secret}x`, service.key.secret.slice(0, -1)]) {
        const response = await send(service, { key });
        await expectError(response, 401, 'invalid_api_key');
        expect(response.headers.get('www-authenticate')).toBe(
          'Bearer realm="animal-store", error="invalid_token"',
        );
      }
    });

    test('with two keys it is 401 invalid_api_key', async () => {
      const { secret } = service.key;
      await expectError(
        await send(service, { key: `${secret}, ${secret}` }),
        401,
        'invalid_api_key',
      );
    });

    test('with a key that was never issued it is 401 invalid_api_key', async () => {
      const key = mintSecret(platform.randomBytes);
      await expectError(await send(service, { key }), 401, 'invalid_api_key');
    });

    test('with an expired key it is 401 expired_api_key, from the very moment', async () => {
      const expiresAtMs = service.clock.now() + 1_000;
      const { secret } = await service.makeKey('enterprise', undefined, expiresAtMs);
      service.clock.advance(0.999);
      expect((await send(service, { key: secret })).ok).toBe(true);
      service.clock.advance(0.001);
      await expectError(await send(service, { key: secret }), 401, 'expired_api_key');
    });

    test('with a revoked key it is 401 revoked_api_key', async () => {
      const { id, secret } = await service.makeKey();
      await service.store.accounts.revokeKey(id, service.clock.now());
      await expectError(await send(service, { key: secret }), 401, 'revoked_api_key');
    });

    test('the name of the scheme is case-insensitive', async () => {
      for (const scheme of ['bearer', 'BEARER', 'bEaReR']) {
        const headers = { Authorization: `${scheme} ${service.key.secret}` };
        expect((await send(service, { key: null, headers })).ok).toBe(true);
      }
    });

    test('beyond the minute it is 429 rate_limit_minute, and admitted when Retry-After says', async () => {
      const { secret } = await service.makeKey('enterprise', { perMinute: 2, perDay: 100 });
      for (let i = 0; i < 2; i++) expect((await send(service, { key: secret })).ok).toBe(true);
      const refused = await send(service, { key: secret });
      await expectError(refused, 429, 'rate_limit_minute');
      expect(refused.headers.get('x-ratelimit-limit')).toBe('2');
      expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
      service.clock.advance(Number(refused.headers.get('retry-after')));
      expect((await send(service, { key: secret })).ok).toBe(true);
    });

    test('beyond the day it is 429 rate_limit_day until midnight UTC', async () => {
      const { secret } = await service.makeKey('enterprise', { perMinute: 100, perDay: 2 });
      for (let i = 0; i < 2; i++) expect((await send(service, { key: secret })).ok).toBe(true);
      const refused = await send(service, { key: secret });
      await expectError(refused, 429, 'rate_limit_day');
      const nowSeconds = service.clock.now() / 1000;
      const midnight = Math.ceil(nowSeconds / 86_400) * 86_400;
      expect(refused.headers.get('x-ratelimit-reset')).toBe(String(midnight));
      expect(refused.headers.get('retry-after')).toBe(String(Math.ceil(midnight - nowSeconds)));
    });

    test('who goes on after refusals gets 429 api_key_banned', async () => {
      const { secret } = await service.makeKey('enterprise', { perMinute: 100, perDay: 1 });
      for (let i = 0; i < 1 + 200; i++) await send(service, { key: secret });
      service.clock.advance(2);
      for (let i = 0; i < 29; i++) {
        await expectError(await send(service, { key: secret }), 429, 'rate_limit_day');
      }
      const banned = await send(service, { key: secret });
      await expectError(banned, 429, 'api_key_banned');
      expect(banned.headers.get('retry-after')).toBe('300');
    });

    test('requests without a valid key are 429 beyond the Free plan, by address alone', async () => {
      await using crowded = await startService();
      for (let i = 0; i < 60; i++) expect((await send(crowded, { key: null })).status).toBe(401);
      await expectError(await send(crowded, { key: null }), 429, 'rate_limit_minute');
      expect((await send(crowded)).ok).toBe(true);
    });

    test.each(WAYS_TO_FAIL)(
      'a fault of ours, %s, is 500 internal_error, told to the log and to nobody else',
      async (_, failing) => {
        const error = new Error(LEAK);
        const pets = failingPets(failing, error);
        await using faulty = await startService({ replace: { pets } });
        const response = await send(faulty);
        const body = await expectError(response, 500, 'internal_error');
        expect(JSON.stringify([body, [...response.headers]])).not.toContain('hunter2');
        expect(faulty.observed.at(-1)).toMatchObject({
          response: { status: 500 },
          call: { fault: error },
        });
        expect(faulty.observed.at(-1)?.call.id).toBe(response.headers.get('x-request-id') ?? '');
      },
    );

    test.each(WAYS_TO_FAIL)(
      'a store out of reach, %s, is 503 service_unavailable',
      async (_, failing) => {
        const error = new StoreUnavailableError(new Error(LEAK));
        const pets = failingPets(failing, error);
        await using away = await startService({ replace: { pets } });
        await expectError(await send(away), 503, 'service_unavailable');
        const keys = { findKey: () => failing(error) };
        await using keyless = await startService({ replace: { keys } });
        await expectError(await send(keyless), 503, 'service_unavailable');
        const peek = service.limiter.peek.bind(service.limiter);
        const limiter = { take: () => failing(error), peek };
        await using countless = await startService({ replace: { limiter } });
        await expectError(await send(countless), 503, 'service_unavailable');
      },
    );
  });
}
