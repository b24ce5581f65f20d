import { describe, expect, test } from 'bun:test';
import { type ApiResponse, retryAfter } from '../../packages/conformance/src/http.ts';
import type { SessionOptions } from '../../packages/conformance/src/session.ts';
import { Clock } from '../support/time.ts';
import {
  check,
  checkConforming,
  checkDeployment,
  type Fault,
  KEY,
  reasonOf,
  startDeployment,
  WITHOUT_FREE_KEY,
} from './deployment.ts';
import {
  hasStatus,
  isCreatePet,
  isFree,
  isGetPet,
  isListPets,
  onRequest,
  onResponse,
  problem,
  withBody,
  withHeader,
  withQuery,
  withStatus,
} from './faults.ts';

describe('a conforming server', () => {
  let reads = 0;
  test.each<[string, Fault, string[], Partial<SessionOptions>?]>([
    [
      'may decide differently from the service where the contract is silent',
      async (request, service) => {
        const response = await service(request);
        const { status, headers } = response;
        for (const name of ['Deprecation', 'Link', 'RateLimit', 'Sunset']) headers.delete(name);
        if (request.url.endsWith('/openapi.json')) return problem(404)(response);
        if (status === 404) {
          headers.set('X-RateLimit-Remaining', headers.get('X-RateLimit-Limit') ?? '');
        }
        if (status === 429) {
          headers.delete('Content-Type');
          return new Response('Slow down.', { status, headers });
        }
        return isListPets(request) && status === 400 ? withStatus(422)(response) : response;
      },
      [
        'listPets.paginated',
        'versioning.version',
        'versioning.deprecation',
        'versioning.stability',
        'limits.headers.both',
      ],
      {},
    ],
    [
      'may have other links before a relative one to the next page',
      onResponse(
        ({ headers }) => headers.has('Link'),
        withHeader('Link', (link) =>
          link.replace(
            /<[^?]*(.*)/,
            '</v1/pets>; rel="first nextish", </v1/pets$1, </v1>; rel=last',
          ),
        ),
      ),
      [],
    ],
    [
      'may have a list that changes while it is read',
      onRequest(
        ({ url }) => /limit=10\b/.test(url),
        (request) => withQuery('after', `${reads++}`)(request),
      ),
      ['listPets.paginated'],
    ],
    [
      'may link the next page on another host, where the key is not sent',
      onResponse(
        hasStatus(200),
        withHeader('Link', '<https://elsewhere.invalid/v1/pets?start=10>; rel="next"'),
      ),
      ['listPets.paginated', 'listPets.status.filter'],
    ],
    [
      'may reject names beyond ASCII and an id in createPet',
      onRequest(
        isCreatePet,
        withBody((body) => {
          if ('id' in body || /[^ -~]/.test(String(body['name']))) body['name'] = null;
        }),
      ),
      ['resources.pet.name.unicode', 'resources.pet.id.assigned'],
    ],
  ])('%s', async (_, fault, notCheckable, options = WITHOUT_FREE_KEY) => {
    const { notCheckableHere } = await checkConforming({ fault }, options);
    expect(notCheckableHere).toEqual(notCheckable);
  });

  test('may send a date in Retry-After', () => {
    const headers = new Headers({ 'Retry-After': 'Thu, 01 Jan 1970 01:00:00 GMT' });
    expect(retryAfter({ headers, receivedAtMs: 1500 } as ApiResponse)).toBe(3599);
  });

  test('may rehearse the removal of getPet, which cannot be checked meanwhile', async () => {
    const rehearse = (retryAfter: string | null) =>
      onResponse(
        (response, request) => isGetPet(request) && !hasStatus(401, 429)(response),
        (response) => withHeader('Retry-After', retryAfter)(problem(410)(response)),
      );
    const rehearsal = { fault: rehearse('900') };
    const { notCheckableIds } = await checkConforming(rehearsal, WITHOUT_FREE_KEY);
    expect(notCheckableIds).toContain('getPet.found');
    // Without the time at which it ends, it is not a rehearsal.
    const { failedIds } = await checkDeployment({ fault: rehearse(null) }, WITHOUT_FREE_KEY);
    expect(failedIds).toContain('getPet.found');
  });

  test('fails one check at an address without /v1', async () => {
    const fault = onRequest(
      () => true,
      (request) => new Request(request.url.replace('/api/', '/v1/'), request),
    );
    await using server = await startDeployment({ fault });
    const url = server.url.replace('/v1', '/api');
    const { failedIds } = await check({ ...server, url }, WITHOUT_FREE_KEY);
    expect(failedIds).toEqual(['service.prefix']);
  });
});

describe('a store with many pets', () => {
  /** Twice as many pets must take no more requests. */
  const many = async (fault: Fault) => {
    const check = (petCount: number) => checkDeployment({ petCount, fault }, WITHOUT_FREE_KEY);
    const checked = await check(150);
    expect((await check(300)).requests).toBe(checked.requests);
    return checked;
  };

  test('is searched for a pet with one more request for each pet', async () => {
    const checked = await many((request, service) => service(request));
    expect(checked.failedIds).toEqual([]);
    expect(checked.notCheckableIds).not.toContain('listPets.contains');
  });

  test('is not checkable beyond the first page if pages repeat', async () => {
    const checked = await many(
      onRequest(({ url }) => url.includes('after='), withQuery('after', null)),
    );
    expect(checked.failedIds).toEqual(['listPets.paginated']);
    expect(reasonOf(checked, 'listPets.contains')).toStartWith('The list has more than one page');
  });
});

describe('limits', () => {
  test('--no-wait skips only the checks that wait', async () => {
    const checked = await checkConforming({}, { wait: undefined });
    const skipped = ['limits.exceeded.wait', 'limits.headers.reset.kept'];
    expect(checked.notCheckableHere).toEqual(skipped);
    expect(checked.waits).toEqual([]);
  });

  test('a minute that ends during the count is counted again', async () => {
    const clock = new Clock();
    let sent = 0;
    const fault: Fault = (request, service) => {
      if (isFree(request) && ++sent === 31) clock.advance(10);
      return service(request);
    };
    await checkConforming({ clock, fault });
    // Half a minute, a whole one, and another for the count, with a few further requests.
    expect(sent).toBeWithin(30 + 60 + 60, 30 + 60 + 60 + 10);
  });

  test('a service too slow to use up a minute is not checkable', async () => {
    const clock = new Clock();
    const fault: Fault = (request, service) => {
      clock.advance(1.1);
      return service(request);
    };
    const { notCheckableIds } = await checkConforming({ clock, fault });
    expect(notCheckableIds).toContain('limits.exceeded');
  });

  test('a Free plan key is enough, with more waits', async () => {
    const { notCheckableIds, waits } = await checkConforming(
      { limits: { [KEY]: { perMinute: 60 } } },
      WITHOUT_FREE_KEY,
    );
    expect(notCheckableIds).not.toContain('listPets.limit.maximum');
    expect(waits).toHaveLength(2);
  });

  test('a wait of more than two minutes ends the run, with a report of the checks so far', async () => {
    const fault = onResponse(hasStatus(429), withHeader('Retry-After', '121'));
    const server = { fault, limits: { [KEY]: { perMinute: 10 } } };
    const checked = await checkConforming(server, WITHOUT_FREE_KEY);
    expect(checked.stopped).toContain('asks clients to wait 121 s');
    expect(reasonOf(checked, 'resources.petStatus.values')).toBe('passed');
    expect(reasonOf(checked, 'listPets.listed')).toBe(checked.stopped);
  });
});
