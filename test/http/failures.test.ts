import { describe, expect, test } from 'bun:test';
import { OPERATIONS, type Operation } from '#contract/operations.ts';
import { NOTHING_SAVED } from '#domain/counts-journal.ts';
import { StoreUnavailableError } from '#domain/error.ts';
import { mintSecret } from '#domain/key-secret.ts';
import type { PetStore } from '#domain/pet.ts';
import type { Limiter } from '#domain/rate-limit.ts';
import { readToken } from '#http/authenticate.ts';
import { platform } from '#platform.ts';
import { head, rawHttp } from '../support/http.ts';
import {
  type CallOptions,
  expectCode,
  startService,
  startServiceForAll,
} from '../support/service.ts';

const service = await startServiceForAll();
const list = (options: CallOptions) => service.call('/pets', options);

const peek: Limiter['peek'] = (caller, nowMs) => service.limiter.peek(caller, nowMs);

describe('a key', () => {
  test.each(['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer\u00a0x', ''])(
    'is missing if Authorization is %p',
    async (Authorization) => {
      const response = await list({ key: null, headers: { Authorization } });
      await expectCode(response, 'missing_api_key');
      expect(response.headers.get('www-authenticate')).toBe('Bearer realm="animal-store"');
    },
  );

  test('that is malformed, sent twice or was never issued is 401 invalid_api_key', async () => {
    const { secret } = service.key;
    const unknown = mintSecret(platform.randomBytes);
    const twice = `${secret}, ${secret}`;
    // Only a space separates a key from its scheme.
    const spaced = `\u00a0${secret}`;
    for (const key of ['x', `${secret}x`, secret.slice(0, -1), twice, spaced, unknown]) {
      const response = await list({ key });
      await expectCode(response, 'invalid_api_key');
      expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
    }
  });

  test('may have a scheme in any letter case', async () => {
    const headers = { Authorization: `bEaReR ${service.key.secret}` };
    expect((await list({ key: null, headers })).ok).toBe(true);
  });

  test('a revoked key is 401 revoked_api_key', async () => {
    const { id, secret: key } = await service.makeKey();
    expect((await list({ key })).status).toBe(200);
    await service.store.accounts.revokeKey(id);
    service.clock.advance(1);
    const refused = await list({ key });
    await expectCode(refused, 'revoked_api_key');
    // It counts against the address, but operators see whose key it is.
    expect(refused.headers.get('x-ratelimit-limit')).toBe('60');
    expect(service.observed.at(-1)?.call).toMatchObject({ key: undefined, refusedKey: { id } });
  });

  test('that can only read is refused after its request counts, and before the body is read', async () => {
    const key = await service.readOnlyKey(await service.makeKey('enterprise', { perMinute: 1 }));
    const send = () => service.call('/pets', { method: 'POST', key });
    const { headers } = await send();
    expect(headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope"');
    await expectCode(await send(), 'rate_limit_minute');
  });

  test.each([
    ['production', 'staging', 'Use a key of production here: "ask_" and 38 letters'],
    ['staging', 'production', 'Use a key of staging here: "ask_test_" and 38 letters'],
  ] as const)(
    'on %s that belongs to %s gets an error that says so',
    (environment, other, words) => {
      const foreign = mintSecret(platform.randomBytes, other);
      expect(readToken(`Bearer ${foreign}`, environment)).toMatchObject({
        error: 'invalid_api_key',
        message: expect.stringContaining(words),
      });
    },
  );
});

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

const ALL_OPERATIONS = Object.values<Operation>(OPERATIONS);

test.each(Object.entries<Operation>(OPERATIONS))(
  '%s is 403 with a read-only key, if that is one of its errors',
  async (_, operation) => {
    const { status } = await service.send(operation, { key: await service.readOnlyKey() });
    expect(status === 403).toBe(operation.errors.includes('read_only_key'));
  },
);

describe.each(FAILURES)('in every operation, an error that is %s', (_, fail) => {
  test('is 500 internal_error if it is unexpected, and shows its details only in the log', async () => {
    const error = new Error(LEAK);
    await using faulty = await startService({ replace: { pets: failingPets(fail, error) } });
    for (const operation of ALL_OPERATIONS) {
      const response = await faulty.send(operation);
      const shown = JSON.stringify([await response.clone().json(), [...response.headers]]);
      expect(shown).not.toContain('hunter2');
      await expectCode(response, 'internal_error');
      const { call } = faulty.observed.at(-1) ?? {};
      expect(call).toMatchObject({ fault: error, id: response.headers.get('x-request-id') });
    }
  });

  const away = new StoreUnavailableError(new Error(LEAK));

  test.each([
    ['pets cannot be read', '1000000', { pets: failingPets(fail, away) }],
    // Without the store, nobody knows whose key it is.
    ['keys cannot be read', '60', { keys: { findKey: () => fail(away) } }],
    [
      'requests cannot be counted',
      '1000000',
      { limiter: { ...NOTHING_SAVED, take: () => fail(away), peek } },
    ],
  ])('is 503 service_unavailable if %s', async (_, limit, replace) => {
    await using faulty = await startService({ replace });
    for (const operation of ALL_OPERATIONS) {
      const response = await faulty.send(operation);
      expect(response.headers.get('x-ratelimit-limit')).toBe(limit);
      await expectCode(response, 'service_unavailable');
    }
  });
});

// With PostgreSQL and Redis, the runtime closes such a connection.
test.skipIf(Bun.env['TEST_BACKEND'] === 'shared')(
  'pipelined reads get their responses in order on one connection',
  async () => {
    const key = `Authorization: Bearer ${service.key.secret}`;
    const request = (path: string, connection: string) =>
      head(`GET /v1${path} HTTP/1.1`, `Connection: ${connection}`, key);
    const received = await rawHttp(service.url, [
      request('/pets', 'keep-alive') + request('/pets/0', 'close'),
    ]);
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404']);
  },
);
