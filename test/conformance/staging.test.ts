import { expect, test } from 'bun:test';
import { Clock } from '../support/clock.ts';
import { checkReferenceServer, reasonOf } from './check-reference-server.ts';
import { onRequest, onResponse, withStatus } from './faults.ts';
import {
  ENTERPRISE_LIMITS,
  type Fault,
  FREE_KEY,
  json,
  KEY,
  PLAN_KEYS,
  startReferenceServer,
} from './reference-server.ts';

const ALL_KEYS = {
  keys: { key: KEY, free: FREE_KEY, ...PLAN_KEYS },
  enterpriseLimits: ENTERPRISE_LIMITS,
};
const WITHOUT_LIMITS = { keys: { key: KEY } };

const testTimeOf = (request: Request) => request.headers.get('x-test-time');

test('a conforming server fails no check, and nothing waits', async () => {
  const lastTimes = new Map<string, string | null>();
  const fault: Fault = (request, conforming) => {
    const key = request.headers.get('authorization') ?? '';
    if (testTimeOf(request) !== null) lastTimes.set(key, testTimeOf(request));
    return conforming(request);
  };
  // A key with few requests a minute has to wait for its limit.
  const server = { isStaging: true, fault, perMinute: { [KEY]: 30 } };
  const checked = await checkReferenceServer(server, { ...ALL_KEYS, mayWait: false });
  expect(checked.failedIds).toEqual([]);
  expect(checked.notCheckableIds).toEqual([
    'service.addresses',
    'versioning.deprecation',
    'errors.429.body',
  ]);
  expect(checked.waits).toEqual([]);
  expect(lastTimes.size).toBe(2 + 2 * Object.keys(PLAN_KEYS).length);
  expect(new Set(lastTimes.values())).toEqual(new Set(['now']));
});

test('clocks that others left in the future are put back before the run, and by a run that stops', async () => {
  const clock = new Clock();
  let lastTime: string | null = null;
  let requests = 0;
  const fault: Fault = (request, conforming) => {
    lastTime = testTimeOf(request) ?? lastTime;
    const isRefused = ++requests > 50 && testTimeOf(request) !== 'now';
    return isRefused ? new Response('Slow down.', { status: 429 }) : conforming(request);
  };
  using server = startReferenceServer({ clock, isStaging: true, fault });
  const headers = { Authorization: `Bearer ${KEY}`, 'X-Test-Time': '2090-01-01T00:00:00Z' };
  await fetch(`${server.url}/pets`, { headers });
  const options = { ...WITHOUT_LIMITS, baseUrl: server.url };
  const { stopped, notCheckableIds } = await checkReferenceServer({ clock }, options);
  expect(stopped).toContain('still returns 429');
  expect(notCheckableIds).not.toContain('listPets.listed');
  expect(lastTime as string | null).toBe('now');
});

test('a deployment that ignores test times is checked like production', async () => {
  const fault = onRequest(
    (request) => testTimeOf(request) !== null,
    (request) => {
      const changed = new Request(request);
      changed.headers.delete('X-Test-Time');
      return changed;
    },
  );
  const checked = await checkReferenceServer({ isStaging: true, fault }, ALL_KEYS);
  expect(checked.failedIds).toEqual([]);
  expect(reasonOf(checked, 'limits.pro')).toEndWith('this check moves a test clock instead.');
});

test('a key that expires before the removal of getPet is not a failure', async () => {
  const fault = onResponse(
    (_, request) => (testTimeOf(request) ?? '').startsWith('2030-12'),
    ({ headers }) =>
      json(401, { code: 'expired', message: 'Expired.', status: 401 }, Object.fromEntries(headers)),
  );
  const checked = await checkReferenceServer({ isStaging: true, fault }, WITHOUT_LIMITS);
  expect(checked.failedIds).toEqual([]);
  expect(reasonOf(checked, 'getPet.removed')).toBe('The key expires before that day.');
});

test('the other address needs /v1 and the API, and only one of the two is staging', async () => {
  const clock = new Clock();
  const failuresOf = async (otherUrl: string, isStaging = false) => {
    const options = { ...WITHOUT_LIMITS, otherUrl };
    return (await checkReferenceServer({ isStaging }, options)).failedIds;
  };
  using production = startReferenceServer({ clock });
  using staging = startReferenceServer({ clock, isStaging: true });
  using open = startReferenceServer({ clock, fault: onResponse(() => true, withStatus(200)) });
  expect(await failuresOf(production.url, true)).toEqual([]);
  const failed = ['service.addresses'];
  expect(await failuresOf(staging.url, true)).toEqual(failed);
  expect(await failuresOf(staging.url.replace('/v1', '/api'))).toEqual(failed);
  expect(await failuresOf(open.url)).toEqual(failed);
});
