import { describe, expect, test } from 'bun:test';
import { CannotRun } from '../../src/conformance/session.ts';
import { Clock } from '../support/clock.ts';
import { rejection } from '../support/rejection.ts';
import { type Checked, checkReferenceServer } from './check-reference-server.ts';
import {
  hasStatus,
  isCreatePet,
  isGetPet,
  onRequest,
  onResponse,
  query,
  withBody,
  withField,
  withHeader,
  withKey,
  withQuery,
  withStatus,
  withText,
} from './faults.ts';
import { ALWAYS_NOT_CHECKABLE, CHECKS_THAT_WAIT } from './not-checkable.ts';
import {
  type Fault,
  FREE_KEY,
  KEY,
  parse,
  startReferenceServer,
  stringify,
} from './reference-server.ts';

const CHECKS_WITH_FREE_KEY = [
  'errors.429.anyRequest',
  'errors.429.retryAfter',
  'errors.429.body',
  'limits.free.perMinute',
  'limits.exceeded',
  'limits.exceeded.remaining',
  'limits.headers.limit.free',
  ...CHECKS_THAT_WAIT,
];

function sorted(...ids: readonly string[]): string[] {
  return [...ids].sort();
}

async function cannotRun(run: Promise<unknown>): Promise<string> {
  const error = await rejection(run);
  expect(error).toBeInstanceOf(CannotRun);
  return (error as CannotRun).message;
}

describe('a conforming server', () => {
  test('fails no check, whatever it decides where the contract is silent', async () => {
    const { failedIds, notCheckableIds } = await checkReferenceServer();
    expect(failedIds).toEqual([]);
    expect(sorted(...notCheckableIds)).toEqual(sorted(...ALWAYS_NOT_CHECKABLE));
  });

  test('does not have to link the next page', async () => {
    const fault = onResponse(() => true, withHeader('Link', null));
    const { failedIds, notCheckableIds } = await checkReferenceServer({ fault });
    expect(failedIds).toEqual([]);
    expect(notCheckableIds).toContain('listPets.paginated');
  });

  test('may have other links before the one to the next page', async () => {
    const fault = onResponse(
      ({ headers }) => headers.has('Link'),
      withHeader('Link', (link) => `</v1/pets>; rel="first nextish", ${link}, </v1>; rel=last`),
    );
    const { failedIds, notCheckableIds } = await checkReferenceServer({ fault });
    expect(failedIds).toEqual([]);
    expect(notCheckableIds).not.toContain('listPets.paginated');
  });

  test('may link the next page on another host, and the key is not sent there', async () => {
    const fault = onResponse(
      hasStatus(200),
      withHeader('Link', '<https://elsewhere.invalid/v1/pets?start=10>; rel="next"'),
    );
    const { failedIds, notCheckableIds } = await checkReferenceServer({ fault });
    expect(failedIds).toEqual([]);
    expect(notCheckableIds).toContain('listPets.paginated');
  });

  test('is not read forever if its list has no end', async () => {
    let pages = 0;
    const fault: Fault = async (request, conforming) => {
      const response = await conforming(request);
      if (query(request, 'page') === null && query(request, 'limit') !== '100') return response;
      response.headers.set('Link', `</v1/pets?page=${++pages}>; rel="next"`);
      return new Response(`[{"id":${-pages}}]`, response);
    };
    const { requests } = await checkReferenceServer({ fault });
    expect(requests).toBeLessThan(300);
  });

  test('may announce the removal of getPet in headers', async () => {
    const fault = onResponse(
      (_, request) => isGetPet(request),
      withHeader('Sunset', 'Thu, 05 Dec 2030 00:00:00 GMT'),
    );
    const { failedIds, notCheckableIds } = await checkReferenceServer({ fault });
    expect(failedIds).toEqual([]);
    expect(notCheckableIds).not.toContain('versioning.deprecation');
  });

  test('may reject names beyond ASCII and an id in createPet', async () => {
    const fault = onRequest(
      isCreatePet,
      withBody((body) => {
        if ('id' in body || /[^ -~]/.test(String(body['name']))) body['name'] = null;
      }),
    );
    const { failedIds, notCheckableIds } = await checkReferenceServer({ fault });
    expect(failedIds).toEqual([]);
    expect(notCheckableIds).toContain('resources.pet.name.unicode');
  });

  test('may send a date in Retry-After', async () => {
    const clock = new Clock();
    const fault = onResponse(
      hasStatus(429),
      withHeader('Retry-After', (seconds) =>
        new Date(clock.now() + Number(seconds) * 1000).toUTCString(),
      ),
    );
    const { failedIds, waits } = await checkReferenceServer({ clock, fault });
    expect(failedIds).toEqual([]);
    expect(waits).toEqual([60]);
  });

  test('may rehearse the removal of getPet, which cannot be checked meanwhile', async () => {
    const answered = (response: Response, request: Request) =>
      isGetPet(request) && !hasStatus(401, 429)(response);
    const gone = ({ headers }: Response) =>
      new Response('{"code":"gone","message":"A rehearsal.","status":410}', {
        status: 410,
        headers,
      });
    const fault = onResponse(answered, (response) =>
      withHeader('Retry-After', '900')(gone(response)),
    );
    const { failedIds, notCheckableIds } = await checkReferenceServer({ fault });
    expect(failedIds).toEqual([]);
    expect(notCheckableIds).toEqual(
      expect.arrayContaining([
        ...['getPet.found', 'getPet.notFound', 'getPet.petId.integer'],
        ...['authentication.accepted.getPet', 'versioning.deprecation'],
      ]),
    );
    // Without the time at which it ends, it is not a rehearsal.
    const early = await checkReferenceServer({ fault: onResponse(answered, gone) });
    expect(early.failedIds).toContain('getPet.found');
  });

  test('fails if it still has getPet on 5 December 2030', async () => {
    const clock = new Clock('2030-12-05T00:00:00Z');
    expect((await checkReferenceServer({ clock })).failedIds).toEqual([]);
    const fault = onResponse(hasStatus(410), withStatus(200));
    const late = await checkReferenceServer({ clock, fault });
    expect(late.failedIds).toEqual(['getPet.removed']);
  });

  test('fails one check at an address without /v1', async () => {
    const clock = new Clock();
    const fault = onRequest(
      () => true,
      (request) => new Request(request.url.replace('/api/', '/v1/'), request),
    );
    using server = startReferenceServer({ clock, fault });
    const baseUrl = server.url.replace('/v1', '/api');
    const { failedIds } = await checkReferenceServer({ clock }, { baseUrl });
    expect(failedIds).toEqual(['service.prefix']);
  });
});

describe('a store with many pets', () => {
  const petCount = 3_000;
  const many = (fault: Fault, key = 10_000) =>
    checkReferenceServer({ petCount, fault, perMinute: { [KEY]: key } }, { keys: { key: KEY } });
  const reasonOf = ({ results }: Checked, id: string) => {
    const result = results.find((one) => one.id === id);
    return result?.outcome === 'notCheckable' ? result.reason : result?.outcome;
  };
  /** Links that do not contain the id of a pet. */
  const opaque = (name: string): Fault => {
    const encode = onResponse(
      hasStatus(200),
      withHeader('Link', (link) => link.replace(/start=(\d+)/, `${name}=x$1`)),
    );
    const decoded = ({ url }: Request) => url.replace(new RegExp(`${name}=x`), 'start=');
    return (request, conforming) =>
      encode(request, (sent) => conforming(new Request(decoded(sent), sent)));
  };

  test('is searched with one more request if links contain ids', async () => {
    const checked = await many((request, conforming) => conforming(request));
    expect(checked.failedIds).toEqual([]);
    expect(checked.notCheckableIds).not.toContain('listPets.contains');
    expect(checked.requests).toBeLessThan(70);
  });

  test('is not checkable beyond the first page if no link contains an id', async () => {
    for (const fault of [opaque('cursor'), onResponse(() => true, withHeader('Link', null))]) {
      const checked = await many(fault);
      expect(checked.failedIds).toEqual([]);
      expect(reasonOf(checked, 'listPets.contains')).toBe(
        'The list may have more pages, and no link leads to this pet.',
      );
      expect(reasonOf(checked, 'getPet.found')).toBe('passed');
      expect(checked.requests).toBeLessThan(70);
    }
  });

  test('fails if its list leaves out new pets', async () => {
    const isNext = ({ url }: Request) => url.includes('start=3');
    const fault = onRequest(isNext, withQuery('start', '9999'));
    const { failedIds } = await many(fault);
    expect(failedIds).toEqual(['listPets.contains', 'listPets.status.optional']);
  });

  test('is not read forever if pages repeat', async () => {
    const fault = onRequest(({ url }) => url.includes('start='), withQuery('start', '0'));
    const checked = await many(fault);
    expect(checked.failedIds).toEqual(['listPets.paginated']);
    expect(checked.requests).toBeLessThan(120);
  });

  test('may list the newest first while others add pets', async () => {
    let count = petCount;
    const add = async (request: Request, conforming: Parameters<Fault>[1]) => {
      const response = await conforming(request);
      if (response.status === 201) count++;
      return response;
    };
    const newestFirst: Fault = async (request, conforming) => {
      const [limit, start] = ['limit', 'start'].map((name) => Number(query(request, name)));
      if (isCreatePet(request)) return add(request, conforming);
      if (isGetPet(request) || !limit || query(request, 'status')) return conforming(request);
      const body = '{"name":"Rex","categoryId":1}';
      await add(withKey(new Request(request.url, { method: 'POST', body })), conforming);
      const from = Math.max(0, count - (start ?? 0) - limit);
      const page = await conforming(withQuery('start', String(from))(request));
      const next = `</v1/pets?limit=${limit}&start=${(start ?? 0) + limit}>; rel="next"`;
      const reversed = withText((text) => stringify((parse(text) as unknown[]).reverse()));
      return page.ok ? withHeader('Link', next)(await reversed(page)) : page;
    };
    const checked = await many(newestFirst);
    expect(checked.failedIds).toEqual([]);
    expect(reasonOf(checked, 'listPets.paginated')).toBe(
      'Other clients changed the first page meanwhile.',
    );
    expect(reasonOf(checked, 'listPets.contains')).toBe('passed');
  });
});

describe('limits', () => {
  test('without a Free plan key no limit is exceeded', async () => {
    const { failedIds, notCheckableIds, waits } = await checkReferenceServer(
      {},
      { keys: { key: KEY } },
    );
    expect(failedIds).toEqual([]);
    expect(notCheckableIds).toEqual(expect.arrayContaining(CHECKS_WITH_FREE_KEY));
    expect(waits).toEqual([]);
  });

  test('--no-wait skips only the checks that wait', async () => {
    const waiting = await checkReferenceServer();
    const { failedIds, notCheckableIds, waits } = await checkReferenceServer(
      {},
      { mayWait: false },
    );
    expect(failedIds).toEqual([]);
    expect(sorted(...notCheckableIds)).toEqual(
      sorted(...waiting.notCheckableIds, ...CHECKS_THAT_WAIT),
    );
    expect(waits).toEqual([]);
  });

  test('a window that resets during the count restarts the count', async () => {
    const clock = new Clock();
    let sent = 0;
    const fault: Fault = (request, conforming) => {
      if (request.headers.get('authorization') === `Bearer ${FREE_KEY}` && ++sent === 31) {
        clock.advance(60);
      }
      return conforming(request);
    };
    expect((await checkReferenceServer({ clock, fault })).failedIds).toEqual([]);
    expect(sent).toBe(30 + 60 + 3 + 1);
  });

  test('a service too slow to use up a minute is not checkable', async () => {
    const clock = new Clock();
    const fault: Fault = (request, conforming) => {
      clock.advance(1.1);
      return conforming(request);
    };
    const { failedIds, notCheckableIds } = await checkReferenceServer({ clock, fault });
    expect(failedIds).toEqual([]);
    expect(notCheckableIds).toEqual(expect.arrayContaining(CHECKS_WITH_FREE_KEY));
  });

  test('more than 60 requests in more than a minute do not fail', async () => {
    const clock = new Clock();
    const fault: Fault = async (request, conforming) => {
      clock.advance(1.1);
      return withHeader('X-RateLimit-Remaining', '59')(await conforming(request));
    };
    const { notCheckableIds } = await checkReferenceServer({ clock, fault });
    expect(notCheckableIds).toEqual(expect.arrayContaining(CHECKS_WITH_FREE_KEY));
  });

  test('the reset may move with every request', async () => {
    const moving = (shown: (remaining: string) => string): Fault => {
      let sent = 0;
      return onResponse(hasStatus(200, 201), (response) => {
        withHeader('X-RateLimit-Reset', (reset) => String(Number(reset) + ++sent))(response);
        return withHeader('X-RateLimit-Remaining', shown)(response);
      });
    };
    for (const shown of [(remaining: string) => remaining, () => '59']) {
      const { failedIds, notCheckableIds } = await checkReferenceServer({ fault: moving(shown) });
      expect(failedIds).toEqual([]);
      expect(notCheckableIds).toContain('limits.headers.remaining.falls');
    }
  });

  test('a minute that ends right after the 429 is counted again', async () => {
    const clock = new Clock();
    let sent = 0;
    const fault: Fault = (request, conforming) => {
      if (request.headers.get('authorization') === `Bearer ${FREE_KEY}` && ++sent === 60) {
        clock.advance(58);
      }
      return conforming(request);
    };
    const { failedIds, notCheckableIds, waits } = await checkReferenceServer({ clock, fault });
    expect(failedIds).toEqual([]);
    expect(notCheckableIds).not.toContain('errors.429.anyRequest');
    expect(waits).toEqual([2, 60]);
  });

  test('a Free plan key that was in use is counted in the next minute or not at all', async () => {
    const inUse = async (mayWait: boolean) => {
      const clock = new Clock();
      using server = startReferenceServer({ clock });
      await fetch(`${server.url}/pets`, { headers: { Authorization: `Bearer ${FREE_KEY}` } });
      return await checkReferenceServer({ clock }, { baseUrl: server.url, mayWait });
    };
    const waiting = await inUse(true);
    expect(waiting.failedIds).toEqual([]);
    expect(waiting.waits).toEqual([60, 60]);
    const notWaiting = await inUse(false);
    expect(notWaiting.failedIds).toEqual([]);
    expect(notWaiting.notCheckableIds).toEqual(expect.arrayContaining(CHECKS_WITH_FREE_KEY));
  });

  test('a Free plan key is enough for all checks but the largest page', async () => {
    const { failedIds, notCheckableIds, waits, requests } = await checkReferenceServer(
      { perMinute: { [KEY]: 60 } },
      { keys: { key: KEY } },
    );
    expect(failedIds).toEqual([]);
    expect(notCheckableIds).toContain('listPets.limit.maximum');
    expect(waits).toEqual([60]);
    expect(requests).toBeLessThan(100);
  });

  test('a key without limit headers is not used to add many pets', async () => {
    const fault = onResponse(() => true, withHeader('X-RateLimit-Remaining', null));
    const { results, requests } = await checkReferenceServer({ fault });
    expect(results.find(({ id }) => id === 'listPets.limit.maximum')).toMatchObject({
      reason: expect.stringMatching(
        /^This check needs \d+ more pets, and X-RateLimit-Remaining does not allow them\.$/,
      ),
    });
    expect(requests).toBeLessThan(150);
  });

  test('a deployment that has pets gets few more', async () => {
    const clock = new Clock();
    using server = startReferenceServer({ clock });
    const run = () => checkReferenceServer({ clock }, { baseUrl: server.url, keys: { key: KEY } });
    const first = await run();
    const again = await run();
    expect(again.failedIds).toEqual([]);
    expect(again.requests).toBeLessThan(first.requests - 70);
  });

  test('a wait of hours ends the run, with a report of the checks so far', async () => {
    const fault = onResponse(hasStatus(429), withHeader('Retry-After', '3600'));
    const { stopped, results, failedIds, notCheckableIds } = await checkReferenceServer(
      { fault, perMinute: { [KEY]: 10 } },
      { keys: { key: KEY } },
    );
    expect(stopped).toContain('asks to wait 3600 seconds');
    expect(failedIds).toEqual([]);
    expect(results.find(({ id }) => id === 'resources.petStatus.values')).toMatchObject({
      outcome: 'passed',
    });
    expect(results.find(({ id }) => id === 'listPets.listed')).toMatchObject({ reason: stopped });
    expect(notCheckableIds).not.toContain('limits.headers.limit');
  });

  test('with --no-wait a used-up minute ends the run', async () => {
    const { stopped, waits, requests } = await checkReferenceServer(
      { perMinute: { [KEY]: 10 } },
      { keys: { key: KEY }, mayWait: false },
    );
    expect(stopped).toContain('asks to wait 60 seconds, and --no-wait was given.');
    expect(waits).toEqual([]);
    expect(requests).toBe(10 + 1);
  });

  test('a key that only gets 429 ends the run', async () => {
    const fault = onResponse(
      () => true,
      ({ headers }) => new Response('', { status: 429, headers }),
    );
    const waits: number[] = [];
    const run = checkReferenceServer({ fault }, { onWait: (seconds) => waits.push(seconds) });
    expect(await cannotRun(run)).toContain('still returns 429 after 3 waits');
    expect(waits).toEqual([1, 2, 4]);
  });
});

describe('a run does not start', () => {
  test('if nothing listens', async () => {
    const run = checkReferenceServer({}, { baseUrl: 'http://127.0.0.1:1/v1' });
    expect(await cannotRun(run)).toBe(
      'Cannot reach http://127.0.0.1:1/v1: no complete response (ECONNREFUSED).',
    );
  });

  test('if the key is refused', async () => {
    expect(await cannotRun(checkReferenceServer({}, { keys: { key: 'another-key' } }))).toBe(
      'The service does not accept the key (status 401).',
    );
  });

  test('if the Free plan key is refused', async () => {
    expect(
      await cannotRun(checkReferenceServer({}, { keys: { key: KEY, free: 'another-key' } })),
    ).toBe('The service does not accept the free key.');
  });

  test('if both keys are the same', async () => {
    expect(await cannotRun(checkReferenceServer({}, { keys: { key: KEY, free: KEY } }))).toContain(
      'another account',
    );
  });

  test('if the address does not exist or redirects', async () => {
    const nothing = onResponse(() => true, withStatus(404));
    expect(await cannotRun(checkReferenceServer({ fault: nothing }))).toContain(
      '/pets does not exist',
    );
    const moved = onResponse(
      () => true,
      () =>
        new Response(null, {
          status: 308,
          headers: { Location: `https://new.invalid/v1?key=${KEY}` },
        }),
    );
    expect(await cannotRun(checkReferenceServer({ fault: moved }))).toContain(
      ' redirects to https://new.invalid/v1?key=(key). ',
    );
  });
});

test('the type of bodies is not checkable if all are empty', async () => {
  const fault = onResponse(
    () => true,
    ({ status, headers }) => new Response(null, { status, headers }),
  );
  const { notCheckableIds } = await checkReferenceServer({ fault });
  expect(notCheckableIds).toContain('responses.json');
});

test('a report never shows a key, even if the service echoes it', async () => {
  const fault = onResponse(
    () => true,
    (response, request) => {
      const key = request.headers.get('authorization') ?? '';
      response.headers.set('X-RateLimit-Limit', key);
      // A truncated text must not show the start of a key.
      if (response.status === 404) return withField('code', () => [key])(response);
      if (response.status === 400)
        return withField('status', () => 'x'.repeat(580) + key)(response);
      return withText(() => `${' '.repeat(585)}${key}`)(response);
    },
  );
  const report = await checkReferenceServer({ fault });
  expect(report.failed).toBeGreaterThan(5);
  const shown = JSON.stringify(report);
  expect(shown).toContain('(key)');
  expect(shown).not.toContain('key-of');
});

test.each(['abc', 'status'])(
  'redaction does not touch what a run sends: %s as the key',
  async (key) => {
    const fault = onResponse(
      (_, { url }) => url.includes('limit=abc'),
      () => new Response(`["${key}"]`, { status: 200 }),
    );
    const server = { fault, perMinute: { [key]: 10_000 } };
    const { results, url } = await checkReferenceServer(server, { keys: { key } });
    expect(results.find(({ id }) => id === 'listPets.limit.integer')).toMatchObject({
      expected: 'a status from 400 to 499',
      request: `curl -i '${url}/pets?limit=abc' -H "Authorization: Bearer $KEY"`,
      response: expect.stringContaining('["(key)"]'),
    });
  },
);

test('a failed check has a curl command and the response', async () => {
  const fault = onResponse(hasStatus(404), withStatus(400));
  const clock = new Clock('2027-03-01T08:00:00Z');
  const { results, url, startedAt } = await checkReferenceServer({ fault, clock });
  expect(startedAt).toBe('2027-03-01T08:00:00.000Z');
  const failed = results.find(({ id }) => id === 'getPet.notFound');
  expect(failed).toEqual({
    id: 'getPet.notFound',
    section: 'getPet: GET /pets/{petId}',
    statement: 'An unknown id returns 404, up to the largest int64',
    outcome: 'failed',
    expected: 'status 404',
    got: '400',
    request: `curl -i '${url}/pets/9223372036854775807' -H "Authorization: Bearer $KEY"`,
    response: expect.any(String),
  });
  const lines = failed?.response?.split('\n') ?? [];
  expect(lines).toEqual(expect.arrayContaining(['400', 'x-ratelimit-limit: 10000']));
  expect(lines.at(-1)).toBe(
    '{"code":"reference-404","message":"The pet does not exist.","status":400}',
  );
});
