import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { makeKey, type Serving, serve } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/**
 * The interface, statement by statement, asked of the real program from outside: nothing here
 * knows how it is built. What needs another clock is in test/http.
 */

const folder = temporaryFolder();
const settings = { DATABASE_URL: `sqlite:${join(folder.path, 'store.db')}` };
let service: Serving;
let key: string;

beforeAll(async () => {
  service = await serve(settings);
  key = (await makeKey(settings, 'acceptance')).secret;
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}

async function ask(
  method: string,
  path: string,
  { body, secret = key as string | null }: { body?: unknown; secret?: string | null } = {},
): Promise<Asked> {
  const response = await fetch(`${service.started.api}${path}`, {
    method,
    headers: {
      ...(secret !== null && { Authorization: `Bearer ${secret}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, text, json };
}

const REX = { name: 'Rex', categoryId: 1 };

async function add(fields: object = {}): Promise<Record<string, unknown>> {
  return (await ask('POST', '/pets', { body: { ...REX, ...fields } })).json as Record<
    string,
    unknown
  >;
}

function expectPet(value: unknown): void {
  const pet = value as Record<string, unknown>;
  expect(typeof pet['name']).toBe('string');
  expect(Number.isInteger(pet['categoryId'])).toBe(true);
  expect(Number.isInteger(pet['id'])).toBe(true);
  expect(['available', 'pending', 'sold']).toContain(String(pet['status']));
}

function expectError({ status, json }: Asked, expected: number): void {
  expect(status).toBe(expected);
  const error = json as Record<string, unknown>;
  expect(typeof error['code']).toBe('string');
  expect(typeof error['message']).toBe('string');
  expect(error['status']).toBe(expected);
}

const OPERATIONS: [name: string, method: string, path: string, body: object | undefined][] = [
  ['listPets', 'GET', '/pets', undefined],
  ['createPet', 'POST', '/pets', REX],
  ['getPet', 'GET', '/pets/1', undefined],
];

describe('what the service does', () => {
  test('the base address ends in the path prefix /v1', () => {
    expect(service.started.api).toEndWith('/v1');
  });

  test('a client can list animals, add one, and fetch one by its identifier', async () => {
    const pet = await add();
    expect((await ask('GET', `/pets/${pet['id']}`)).json).toEqual(pet);
    expect((await ask('GET', '/pets?limit=100')).json).toContainEqual(pet);
  });

  test('request and response bodies are application/json', async () => {
    for (const [, method, path, body] of OPERATIONS) {
      const { headers } = await ask(method, path, { body });
      expect(headers.get('content-type')).toBe('application/json');
    }
    expect((await ask('GET', '/pets/0')).headers.get('content-type')).toBe('application/json');
  });
});

describe('the resources', () => {
  test('PetStatus is one of available, pending and sold', async () => {
    for (const status of ['available', 'pending', 'sold']) {
      expect(await add({ status })).toMatchObject({ status });
    }
    expectError(await ask('POST', '/pets', { body: { ...REX, status: 'lost' } }), 400);
  });

  test('name is a string', async () => {
    expectError(await ask('POST', '/pets', { body: { ...REX, name: 7 } }), 400);
  });

  test('name is required', async () => {
    expectError(await ask('POST', '/pets', { body: { categoryId: 1 } }), 400);
  });

  test('categoryId is an integer', async () => {
    for (const categoryId of ['"7"', '7.5', 'true']) {
      const body = `{"name":"Rex","categoryId":${categoryId}}`;
      expectError(await ask('POST', '/pets', { body }), 400);
    }
  });

  test('categoryId has the format int64', async () => {
    for (const categoryId of ['9223372036854775807', '-9223372036854775808', '9007199254740993']) {
      const { text } = await ask('POST', '/pets', {
        body: `{"name":"Rex","categoryId":${categoryId}}`,
      });
      expect(text).toContain(`"categoryId":${categoryId},`);
    }
    const body = '{"name":"Rex","categoryId":9223372036854775808}';
    expectError(await ask('POST', '/pets', { body }), 400);
  });

  test('categoryId is required', async () => {
    expectError(await ask('POST', '/pets', { body: { name: 'Rex' } }), 400);
  });

  test('status may be left out', async () => {
    expectPet(await add());
  });

  test('a Pet has all fields of NewPet, and an id', async () => {
    const pet = await add({ status: 'sold' });
    expect(pet).toEqual({ ...REX, status: 'sold', id: pet['id'] });
  });

  test('id is an integer assigned by the service on creation', async () => {
    const pet = await add({ id: 123_456_789 });
    expect(Number.isInteger(pet['id'])).toBe(true);
    expect(pet['id']).not.toBe(123_456_789);
  });

  test('id is unique', async () => {
    const pets = await Promise.all(Array.from({ length: 50 }, () => add()));
    expect(new Set(pets.map((pet) => pet['id'])).size).toBe(50);
  });

  test('an Error has code, message and status, and no more', async () => {
    const answer = await ask('GET', '/pets/0');
    expectError(answer, 404);
    expect(Object.keys(answer.json as object).sort()).toEqual(['code', 'message', 'status']);
  });
});

describe('states', () => {
  test('an animal created with a status has the supplied value', async () => {
    for (const status of ['available', 'pending', 'sold']) {
      const pet = await add({ status });
      expect(((await ask('GET', `/pets/${pet['id']}`)).json as { status: string }).status).toBe(
        status,
      );
    }
  });
});

describe('listPets', () => {
  beforeAll(async () => {
    const statuses = ['available', 'pending', 'sold'];
    await Promise.all(Array.from({ length: 120 }, (_, i) => add({ status: statuses[i % 3] })));
  });

  async function list(query = ''): Promise<Record<string, unknown>[]> {
    const { status, json } = await ask('GET', `/pets${query}`);
    expect(status).toBe(200);
    expect(Array.isArray(json)).toBe(true);
    return json as Record<string, unknown>[];
  }

  test('the list response is a bare array of Pet', async () => {
    for (const pet of await list('?limit=100')) expectPet(pet);
  });

  test('limit is an integer', async () => {
    for (const limit of ['abc', '1.5', ''])
      expectError(await ask('GET', `/pets?limit=${limit}`), 400);
  });

  test('limit is 20 by default', async () => {
    expect(await list()).toHaveLength(20);
  });

  test('limit is at least 1', async () => {
    expect(await list('?limit=1')).toHaveLength(1);
    expectError(await ask('GET', '/pets?limit=0'), 400);
  });

  test('limit is at most 100', async () => {
    expect(await list('?limit=100')).toHaveLength(100);
    expectError(await ask('GET', '/pets?limit=101'), 400);
  });

  test('limit is the maximum number of animals returned', async () => {
    for (const limit of [2, 19, 55]) expect(await list(`?limit=${limit}`)).toHaveLength(limit);
  });

  test('without status there is no filter', async () => {
    expect(new Set((await list('?limit=100')).map((pet) => pet['status'])).size).toBe(3);
  });

  test('status restricts the result to animals with this status', async () => {
    for (const status of ['available', 'pending', 'sold']) {
      const found = await list(`?limit=100&status=${status}`);
      expect(found.length).toBeGreaterThan(0);
      expect(new Set(found.map((pet) => pet['status']))).toEqual(new Set([status]));
    }
  });

  test('status is one of the PetStatus values', async () => {
    expectError(await ask('GET', '/pets?status=lost'), 400);
  });

  test('the list is paginated', async () => {
    const seen = new Set<unknown>();
    let query = '?limit=50';
    for (;;) {
      const { json, headers } = await ask('GET', `/pets${query}`);
      for (const pet of json as Record<string, unknown>[]) seen.add(pet['id']);
      const next = /<[^>]*(\?[^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
      if (next === undefined) break;
      query = next;
    }
    const { id: newest } = await add();
    expect(seen.size).toBe(Number(newest) - 1);
  });
});

describe('createPet', () => {
  test('201 carries the created animal with its id', async () => {
    const answer = await ask('POST', '/pets', { body: REX });
    expect(answer.status).toBe(201);
    expectPet(answer.json);
    expect(answer.json).toMatchObject(REX);
  });

  test('the body is required', async () => {
    expectError(await ask('POST', '/pets', { body: '' }), 400);
    expectError(await ask('POST', '/pets'), 400);
  });

  test('400 answers a body that lacks required fields', async () => {
    expectError(await ask('POST', '/pets', { body: {} }), 400);
  });

  test('400 answers a body that contains invalid values', async () => {
    for (const wrong of [{ name: '' }, { categoryId: null }, { status: 'gone' }]) {
      expectError(await ask('POST', '/pets', { body: { ...REX, ...wrong } }), 400);
    }
  });
});

describe('getPet', () => {
  test('returns one animal by identifier', async () => {
    const pet = await add();
    const answer = await ask('GET', `/pets/${pet['id']}`);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual(pet);
  });

  test('404 answers an identifier that no animal has', async () => {
    expectError(await ask('GET', '/pets/9223372036854775807'), 404);
  });

  test('petId is an int64, and anything else is not found', async () => {
    expectError(await ask('GET', '/pets/9223372036854775808'), 404);
    expectError(await ask('GET', '/pets/rex'), 404);
  });

  test('is flagged deprecated, with its removal on 5 December 2030', async () => {
    const { headers } = await ask('GET', '/pets/1');
    expect(headers.has('deprecation')).toBe(true);
    expect(new Date(headers.get('sunset') ?? '').toISOString()).toBe('2030-12-05T00:00:00.000Z');
  });

  test('is replaced by GET /pets with the status filter', async () => {
    const { headers } = await ask('GET', '/pets/1');
    expect(headers.get('link')).toBe(`<${service.started.api}/pets>; rel="successor-version"`);
    const pet = await add({ status: 'pending' });
    const { json } = await ask(
      'GET',
      `/pets?status=pending&after=${Number(pet['id']) - 1}&limit=1`,
    );
    expect(json).toEqual([pet]);
  });
});

describe('authentication', () => {
  test.each(OPERATIONS)('%s takes an API key as a bearer token', async (_, method, path, body) => {
    expect((await ask(method, path, { body })).status).toBeLessThan(300);
  });

  test.each(OPERATIONS)(
    '%s without a key is 401 with an Error body',
    async (_, method, path, body) => {
      expectError(await ask(method, path, { body, secret: null }), 401);
    },
  );

  test.each(OPERATIONS)(
    '%s with an invalid key is 401 with an Error body',
    async (_, method, path, body) => {
      expectError(await ask(method, path, { body, secret: 'ask_wrong' }), 401);
    },
  );
});

describe('limits', () => {
  test('every API response carries X-RateLimit-Limit, -Remaining and -Reset', async () => {
    const answers = [
      await ask('GET', '/pets'),
      await ask('POST', '/pets', { body: REX }),
      await ask('POST', '/pets', { body: {} }),
      await ask('GET', '/pets', { secret: null }),
      await ask('GET', '/pets/0'),
      await ask('DELETE', '/pets'),
      await ask('GET', '/nothing'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 400, 401, 404, 405, 404]);
    for (const { headers } of answers) {
      for (const name of ['limit', 'remaining', 'reset']) {
        expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
      }
    }
  });

  test('X-RateLimit-Remaining counts down from X-RateLimit-Limit', async () => {
    const { secret } = await makeKey(settings, 'countdown', ['pro']);
    const { headers } = await ask('GET', '/pets', { secret });
    const limit = Number(headers.get('x-ratelimit-limit'));
    expect(limit).toBe(300);
    expect(Number(headers.get('x-ratelimit-remaining'))).toBe(limit - 1);
  });

  test('X-RateLimit-Reset is the Unix timestamp at which the limit resets', async () => {
    const { secret } = await makeKey(settings, 'reset', ['free']);
    const { headers } = await ask('GET', '/pets', { secret });
    const secondsToReset = Number(headers.get('x-ratelimit-reset')) - Date.now() / 1000;
    expect(secondsToReset).toBeGreaterThan(-5);
    expect(secondsToReset).toBeLessThanOrEqual(60);
  });

  test('a request over the limit receives 429, and Retry-After says when to retry', async () => {
    const { secret } = await makeKey(settings, 'overdrawn', ['free']);
    let admitted = 0;
    let window: string | null = null;
    for (;;) {
      const answer = await ask('GET', '/pets', { secret });
      if (answer.status === 429) {
        expectError(answer, 429);
        const reset = Number(answer.headers.get('x-ratelimit-reset'));
        const retryAt = Date.now() / 1000 + Number(answer.headers.get('retry-after'));
        expect(Math.abs(retryAt - reset)).toBeLessThan(5);
        break;
      }
      // The minute may turn while we count: then the count begins again.
      const reset = answer.headers.get('x-ratelimit-reset');
      admitted = reset === window ? admitted + 1 : 1;
      window = reset;
    }
    expect(admitted).toBe(60);
  });
});
