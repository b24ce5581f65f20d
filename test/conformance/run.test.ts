import { describe, expect, test } from 'bun:test';
import { CannotRun } from '../../src/conformance/verdict.ts';
import { Clock } from '../support/clock.ts';
import { rejection } from '../support/rejection.ts';
import { checkSmallServer } from './check-small-server.ts';
import {
  answering,
  asking,
  hasStatus,
  isCreation,
  isOne,
  withBody,
  withField,
  withHeader,
  withStatus,
  withText,
} from './faults.ts';
import { NEVER_CHECKABLE } from './never-checkable.ts';
import { type Fault, FREE_KEY, KEY, startSmallServer } from './small-server.ts';

const WITH_A_WAIT = ['limits.exceeded.wait', 'limits.headers.reset.kept'];
const WITH_FREE_KEY = [
  'errors.429.anyRequest',
  'errors.429.retryAfter',
  'errors.429.body',
  'limits.free.perMinute',
  'limits.exceeded',
  'limits.exceeded.remaining',
  'limits.headers.limit.free',
  ...WITH_A_WAIT,
];

function sorted(...ids: readonly string[]): string[] {
  return [...ids].sort();
}

async function cannotRun(run: Promise<unknown>): Promise<string> {
  const error = await rejection(run);
  expect(error).toBeInstanceOf(CannotRun);
  return (error as CannotRun).message;
}

describe('an honest server', () => {
  test('fails nowhere, whatever it decides where the interface is silent', async () => {
    const { failedIds, notCheckableIds } = await checkSmallServer();
    expect(failedIds).toEqual([]);
    expect(sorted(...notCheckableIds)).toEqual(
      sorted(...NEVER_CHECKABLE, 'getPet.removed', 'errors.429.body', 'versioning.deprecation'),
    );
  });

  test('may link no next page', async () => {
    const fault = answering(() => true, withHeader('Link', null));
    const { failedIds, notCheckableIds } = await checkSmallServer({ fault });
    expect(failedIds).toEqual([]);
    expect(notCheckableIds).toContain('listPets.paginated');
  });

  test('may link its next page elsewhere, where the key is not sent', async () => {
    const fault = answering(
      hasStatus(200),
      withHeader('Link', '<https://elsewhere.invalid/v1/pets?start=10>; rel="next"'),
    );
    const { failedIds, notCheckableIds } = await checkSmallServer({ fault });
    expect(failedIds).toEqual([]);
    expect(notCheckableIds).toContain('listPets.paginated');
  });

  test('may tell of the end of getPet in its headers', async () => {
    const fault = answering(
      (_, request) => isOne(request),
      withHeader('Sunset', 'Thu, 05 Dec 2030 00:00:00 GMT'),
    );
    const { failedIds, notCheckableIds } = await checkSmallServer({ fault });
    expect(failedIds).toEqual([]);
    expect(notCheckableIds).not.toContain('versioning.deprecation');
  });

  test('may refuse names beyond ASCII, and an id in a creation', async () => {
    const fault = asking(
      isCreation,
      withBody((body) => {
        if ('id' in body || /[^ -~]/.test(String(body['name']))) body['name'] = null;
      }),
    );
    const { failedIds, notCheckableIds } = await checkSmallServer({ fault });
    expect(failedIds).toEqual([]);
    expect(notCheckableIds).toContain('resources.pet.name.unicode');
  });

  test('may name the time to retry as a date', async () => {
    const clock = new Clock();
    const fault = answering(
      hasStatus(429),
      withHeader('Retry-After', (seconds) =>
        new Date(clock.now() + Number(seconds) * 1000).toUTCString(),
      ),
    );
    const { failedIds, waits } = await checkSmallServer({ clock, fault });
    expect(failedIds).toEqual([]);
    expect(waits).toEqual([60]);
  });

  test('has no getPet from 5 December 2030 on, and fails when it still has', async () => {
    const clock = new Clock('2030-12-05T00:00:00Z');
    expect((await checkSmallServer({ clock })).failedIds).toEqual([]);
    const fault = answering(hasStatus(410), withStatus(200));
    const late = await checkSmallServer({ clock, fault });
    expect(late.failedIds).toEqual(['getPet.removed']);
  });

  test('fails at an address without /v1', async () => {
    const clock = new Clock();
    const fault = asking(
      () => true,
      (request) => new Request(request.url.replace('/api/', '/v1/'), request),
    );
    using small = startSmallServer({ clock, fault });
    const baseUrl = small.url.replace('/v1', '/api');
    const { failedIds } = await checkSmallServer({ clock }, { baseUrl });
    expect(failedIds).toEqual(['service.prefix']);
  });
});

describe('limits', () => {
  test('without a key of the Free plan nothing is exceeded', async () => {
    const { failedIds, notCheckableIds, waits } = await checkSmallServer(
      {},
      { freeKey: undefined },
    );
    expect(failedIds).toEqual([]);
    expect(notCheckableIds).toEqual(expect.arrayContaining(WITH_FREE_KEY));
    expect(waits).toEqual([]);
  });

  test('with --no-wait only the sentences that take a wait are left out', async () => {
    const patient = await checkSmallServer();
    const { failedIds, notCheckableIds, waits } = await checkSmallServer({}, { mayWait: false });
    expect(failedIds).toEqual([]);
    expect(sorted(...notCheckableIds)).toEqual(sorted(...patient.notCheckableIds, ...WITH_A_WAIT));
    expect(waits).toEqual([]);
  });

  test('a minute that turns while requests are counted is counted anew', async () => {
    const clock = new Clock();
    let sent = 0;
    const fault: Fault = (request, honest) => {
      if (request.headers.get('authorization') === `Bearer ${FREE_KEY}` && ++sent === 31) {
        clock.advance(60);
      }
      return honest(request);
    };
    expect((await checkSmallServer({ clock, fault })).failedIds).toEqual([]);
    expect(sent).toBe(30 + 60 + 3 + 1);
  });

  test('answers so slow that no minute can be used up leave the limit open', async () => {
    const clock = new Clock();
    const fault: Fault = (request, honest) => {
      clock.advance(1.1);
      return honest(request);
    };
    const { failedIds, notCheckableIds } = await checkSmallServer({ clock, fault });
    expect(failedIds).toEqual([]);
    expect(notCheckableIds).toEqual(expect.arrayContaining(WITH_FREE_KEY));
  });

  test('more than 60 requests in more than a minute are not too many', async () => {
    const clock = new Clock();
    const fault: Fault = async (request, honest) => {
      clock.advance(1.1);
      return withHeader('X-RateLimit-Remaining', '59')(await honest(request));
    };
    const { notCheckableIds } = await checkSmallServer({ clock, fault });
    expect(notCheckableIds).toEqual(expect.arrayContaining(WITH_FREE_KEY));
  });

  test('the reset may move on with every request', async () => {
    const moving = (shown: (left: string) => string): Fault => {
      let sent = 0;
      return answering(hasStatus(200, 201), (response) => {
        withHeader('X-RateLimit-Reset', (reset) => String(Number(reset) + ++sent))(response);
        return withHeader('X-RateLimit-Remaining', shown)(response);
      });
    };
    const falling = await checkSmallServer({ fault: moving((left) => left) });
    expect(falling.failedIds).toEqual([]);
    expect(falling.notCheckableIds).not.toContain('limits.headers.remaining.falls');
    const refilled = await checkSmallServer({ fault: moving(() => '59') });
    expect(refilled.notCheckableIds).toContain('limits.headers.remaining.falls');
  });

  test('a minute that turns right after the refusal is counted anew', async () => {
    const clock = new Clock();
    let sent = 0;
    const fault: Fault = (request, honest) => {
      if (request.headers.get('authorization') === `Bearer ${FREE_KEY}` && ++sent === 62) {
        clock.advance(60);
      }
      return honest(request);
    };
    const { failedIds, notCheckableIds } = await checkSmallServer({ clock, fault });
    expect(failedIds).toEqual([]);
    expect(notCheckableIds).not.toContain('errors.429.anyRequest');
  });

  test('a Free key that was in use is counted in the next minute, or not at all', async () => {
    const inUse = async (mayWait: boolean) => {
      const clock = new Clock();
      using small = startSmallServer({ clock });
      await fetch(`${small.url}/pets`, { headers: { Authorization: `Bearer ${FREE_KEY}` } });
      return await checkSmallServer({ clock }, { baseUrl: small.url, mayWait });
    };
    const patient = await inUse(true);
    expect(patient.failedIds).toEqual([]);
    expect(patient.waits).toEqual([60, 60]);
    const hasty = await inUse(false);
    expect(hasty.failedIds).toEqual([]);
    expect(hasty.notCheckableIds).toEqual(expect.arrayContaining(WITH_FREE_KEY));
  });

  test('a key of the Free plan is enough for all but the longest page', async () => {
    const { failedIds, notCheckableIds, waits, requests } = await checkSmallServer(
      { perMinute: { [KEY]: 60 } },
      { freeKey: undefined },
    );
    expect(failedIds).toEqual([]);
    expect(notCheckableIds).toContain('listPets.limit.maximum');
    expect(waits).toEqual([60]);
    expect(requests).toBeLessThan(100);
  });

  test('a deployment that has animals is not given many more', async () => {
    const clock = new Clock();
    using small = startSmallServer({ clock });
    const run = () => checkSmallServer({ clock }, { baseUrl: small.url, freeKey: undefined });
    const first = await run();
    const again = await run();
    expect(again.failedIds).toEqual([]);
    expect(again.requests).toBeLessThan(first.requests - 80);
  });

  test('a wait of hours ends the run, and what was seen until then is told', async () => {
    const fault = answering(hasStatus(429), withHeader('Retry-After', '3600'));
    const { stopped, results, failedIds, notCheckableIds } = await checkSmallServer(
      { fault, perMinute: { [KEY]: 10 } },
      { freeKey: undefined },
    );
    expect(stopped).toContain('asks to wait 3600 seconds');
    expect(failedIds).toEqual([]);
    expect(results.find(({ id }) => id === 'resources.petStatus.values')).toMatchObject({
      outcome: 'passed',
    });
    expect(results.find(({ id }) => id === 'listPets.listed')).toMatchObject({ reason: stopped });
    expect(notCheckableIds).not.toContain('limits.headers.limit');
  });

  test('with --no-wait a key that has used up its minute ends the run', async () => {
    const { stopped, waits, requests } = await checkSmallServer(
      { perMinute: { [KEY]: 10 } },
      { freeKey: undefined, mayWait: false },
    );
    expect(stopped).toContain('asks to wait 60 seconds, and --no-wait was given.');
    expect(waits).toEqual([]);
    expect(requests).toBe(10 + 1);
  });

  test('a key that is never admitted again ends the run', async () => {
    const fault = answering(
      () => true,
      ({ headers }) => new Response('', { status: 429, headers }),
    );
    const waits: number[] = [];
    const run = checkSmallServer({ fault }, { onWait: (seconds) => waits.push(seconds) });
    expect(await cannotRun(run)).toContain('still answers 429 after 3 waits');
    expect(waits).toEqual([1, 2, 4]);
  });
});

describe('a run does not begin', () => {
  test('when nothing listens', async () => {
    const run = checkSmallServer({}, { baseUrl: 'http://127.0.0.1:1/v1' });
    expect(await cannotRun(run)).toBe(
      'http://127.0.0.1:1/v1 cannot be reached: no whole answer (ECONNREFUSED).',
    );
  });

  test('when the key is refused', async () => {
    expect(await cannotRun(checkSmallServer({}, { key: 'another-key' }))).toBe(
      'The service refuses the key, with status 401.',
    );
  });

  test('when the key of the Free plan is refused', async () => {
    expect(await cannotRun(checkSmallServer({}, { freeKey: 'another-key' }))).toBe(
      'The service refuses the key of --key-free.',
    );
  });

  test('when both keys are the same', async () => {
    expect(await cannotRun(checkSmallServer({}, { freeKey: KEY }))).toContain('another account');
  });

  test('when the address has nothing, or sends on to another', async () => {
    const nothing = answering(() => true, withStatus(404));
    expect(await cannotRun(checkSmallServer({ fault: nothing }))).toContain('Nothing is at');
    const moved = answering(
      () => true,
      () =>
        new Response(null, {
          status: 308,
          headers: { Location: `https://new.invalid/v1?key=${KEY}` },
        }),
    );
    expect(await cannotRun(checkSmallServer({ fault: moved }))).toContain(
      ' sends on to https://new.invalid/v1?key=(key). ',
    );
  });
});

test('nothing is said of the type of bodies where all are empty', async () => {
  const fault = answering(
    () => true,
    ({ status, headers }) => new Response(null, { status, headers }),
  );
  const { notCheckableIds } = await checkSmallServer({ fault });
  expect(notCheckableIds).toContain('answers.json');
});

test('a report says when it began, and how long each check took', async () => {
  const { startedAt, results } = await checkSmallServer({
    clock: new Clock('2027-03-01T08:00:00Z'),
  });
  expect(startedAt).toBe('2027-03-01T08:00:00.000Z');
  expect(results.find(({ id }) => id === 'limits.exceeded.wait')?.milliseconds).toBe(60_000);
});

test('no key is shown, not even where the service repeats it', async () => {
  const fault = answering(
    () => true,
    (response, request) => {
      const key = request.headers.get('authorization') ?? '';
      response.headers.set('X-RateLimit-Limit', key);
      // Where a text is cut, the beginning of a key must not stay.
      if (response.status === 404) return withField('code', () => [key])(response);
      if (response.status === 400)
        return withField('status', () => 'x'.repeat(580) + key)(response);
      return withText(() => `${' '.repeat(585)}${key}`)(response);
    },
  );
  const report = await checkSmallServer({ fault });
  expect(report.failed).toBeGreaterThan(10);
  const shown = JSON.stringify(report);
  expect(shown).toContain('(key)');
  expect(shown).not.toContain('key-of');
});

test('what failed is shown with a request to paste', async () => {
  const fault = answering(hasStatus(404), withStatus(400));
  const { results, url } = await checkSmallServer({ fault });
  expect(results.find(({ id }) => id === 'getPet.notFound')).toEqual({
    id: 'getPet.notFound',
    section: 'getPet: GET /pets/{petId}',
    sentence: 'An id that no animal has is answered 404, up to the last int64',
    milliseconds: 0,
    outcome: 'failed',
    expected: 'status 404',
    came: '400',
    request: `curl -i '${url}/pets/9223372036854775807' -H "Authorization: Bearer $KEY"`,
    answer: {
      status: 400,
      headers: expect.objectContaining({ 'X-RateLimit-Limit': '10000' }),
      body: '{"code":"small-404","message":"There is no such animal.","status":400}',
    },
  });
});
