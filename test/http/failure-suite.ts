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

type Fail = (error: Error) => never | Promise<never>;

/** SQLite throws, PostgreSQL rejects. */
const FAILURES: readonly [name: string, Fail][] = [
  [
    'thrown',
    (error) => {
      throw error;
    },
  ],
  ['rejected', (error) => Promise.reject(error)],
];

function failingPets(fail: Fail, error: Error): PetStore {
  const failNow = () => fail(error);
  return { getPet: failNow, listPets: failNow, createPet: async () => failNow() };
}

/** The errors that all operations share. */
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

    test('a request without a key is 401 missing_api_key, with a challenge that names no error', async () => {
      const response = await send(service, { key: null });
      await expectError(response, 401, 'missing_api_key');
      expect(response.headers.get('www-authenticate')).toBe('Bearer realm="animal-store"');
    });

    test.each(['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer ', 'Token ask_x', ''])(
      'the Authorization header %p is 401 missing_api_key',
      async (authorization) => {
        const headers = { Authorization: authorization };
        await expectError(await send(service, { key: null, headers }), 401, 'missing_api_key');
      },
    );

    test('a malformed key is 401 invalid_api_key', async () => {
      for (const key of ['x', 'ask_', `${service.key.secret}x`, service.key.secret.slice(0, -1)]) {
        const response = await send(service, { key });
        await expectError(response, 401, 'invalid_api_key');
        expect(response.headers.get('www-authenticate')).toBe(
          'Bearer realm="animal-store", error="invalid_token"',
        );
      }
    });

    test('two keys are 401 invalid_api_key', async () => {
      const { secret } = service.key;
      await expectError(
        await send(service, { key: `${secret}, ${secret}` }),
        401,
        'invalid_api_key',
      );
    });

    test('a key that was never issued is 401 invalid_api_key', async () => {
      const key = mintSecret(platform.randomBytes);
      await expectError(await send(service, { key }), 401, 'invalid_api_key');
    });

    test('a key is 401 expired_api_key from the millisecond that it expires', async () => {
      const expiresAtMs = service.clock.now() + 1_000;
      const { secret } = await service.makeKey('enterprise', undefined, expiresAtMs);
      service.clock.advance(0.999);
      expect((await send(service, { key: secret })).ok).toBe(true);
      service.clock.advance(0.001);
      await expectError(await send(service, { key: secret }), 401, 'expired_api_key');
    });

    test('a revoked key is 401 revoked_api_key', async () => {
      const { id, secret } = await service.makeKey();
      await service.store.accounts.revokeKey(id, service.clock.now());
      await expectError(await send(service, { key: secret }), 401, 'revoked_api_key');
    });

    test('every key of a suspended account is 401 account_suspended until the account is resumed', async () => {
      const { secret, accountName } = await service.makeKey();
      const second = await service.anotherKey(accountName);
      const { accounts } = service.store;
      await accounts.suspendAccount(accountName, { reason: 'x', nowMs: service.clock.now() });
      for (const key of [secret, second]) {
        const refused = await send(service, { key });
        expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"');
        await expectError(refused, 401, 'account_suspended');
      }
      await accounts.resumeAccount(accountName);
      service.clock.advance(1);
      expect((await send(service, { key: secret })).ok).toBe(true);
    });

    test('a revoked key of a suspended account is 401 revoked_api_key', async () => {
      const { id, secret, accountName } = await service.makeKey();
      const nowMs = service.clock.now();
      await service.store.accounts.revokeKey(id, nowMs);
      await service.store.accounts.suspendAccount(accountName, { reason: 'x', nowMs });
      await expectError(await send(service, { key: secret }), 401, 'revoked_api_key');
    });

    test('the scheme name is case-insensitive', async () => {
      for (const scheme of ['bearer', 'BEARER', 'bEaReR']) {
        const headers = { Authorization: `${scheme} ${service.key.secret}` };
        expect((await send(service, { key: null, headers })).ok).toBe(true);
      }
    });

    test('a request over the minute limit is 429 rate_limit_minute, and is admitted after Retry-After', async () => {
      const { secret } = await service.makeKey('enterprise', { perMinute: 2, perDay: 100 });
      for (let i = 0; i < 2; i++) expect((await send(service, { key: secret })).ok).toBe(true);
      const refused = await send(service, { key: secret });
      await expectError(refused, 429, 'rate_limit_minute');
      expect(refused.headers.get('x-ratelimit-limit')).toBe('2');
      expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
      service.clock.advance(Number(refused.headers.get('retry-after')));
      expect((await send(service, { key: secret })).ok).toBe(true);
    });

    test('a request over the day limit is 429 rate_limit_day until midnight UTC', async () => {
      const { secret } = await service.makeKey('enterprise', { perMinute: 100, perDay: 2 });
      for (let i = 0; i < 2; i++) expect((await send(service, { key: secret })).ok).toBe(true);
      const refused = await send(service, { key: secret });
      await expectError(refused, 429, 'rate_limit_day');
      const nowSeconds = service.clock.now() / 1000;
      const midnight = Math.ceil(nowSeconds / 86_400) * 86_400;
      expect(refused.headers.get('x-ratelimit-reset')).toBe(String(midnight));
      expect(refused.headers.get('retry-after')).toBe(String(Math.ceil(midnight - nowSeconds)));
    });

    test('a key that keeps sending after refusals is 429 api_key_banned', async () => {
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

    test('requests without a valid key get the Free limits by address, and do not limit valid keys', async () => {
      await using limited = await startService();
      for (let i = 0; i < 60; i++) expect((await send(limited, { key: null })).status).toBe(401);
      await expectError(await send(limited, { key: null }), 429, 'rate_limit_minute');
      expect((await send(limited)).ok).toBe(true);
    });

    test.each(FAILURES)(
      'an unexpected error, %s, is 500 internal_error and shows its details only in the log',
      async (_, fail) => {
        const error = new Error(LEAK);
        const pets = failingPets(fail, error);
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

    test.each(FAILURES)('an unavailable store, %s, is 503 service_unavailable', async (_, fail) => {
      const error = new StoreUnavailableError(new Error(LEAK));
      const pets = failingPets(fail, error);
      await using withoutPets = await startService({ replace: { pets } });
      await expectError(await send(withoutPets), 503, 'service_unavailable');
      const keys = { findKey: () => fail(error) };
      await using withoutKeys = await startService({ replace: { keys } });
      await expectError(await send(withoutKeys), 503, 'service_unavailable');
      const peek = service.limiter.peek.bind(service.limiter);
      const limiter = { take: () => fail(error), peek };
      await using withoutLimiter = await startService({ replace: { limiter } });
      await expectError(await send(withoutLimiter), 503, 'service_unavailable');
    });
  });
}
