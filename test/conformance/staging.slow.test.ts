import { expect, test } from 'bun:test';
import {
  check,
  checkConforming,
  checkDeployment,
  type Fault,
  KEY,
  PLAN_KEYS,
  reasonOf,
  startDeployment,
  WITHOUT_FREE_KEY,
} from './deployment.ts';
import { onRequest, onResponse, problem, withStatus } from './faults.ts';

const testTimeOf = (request: Request) => request.headers.get('x-test-time');

test('clocks that others left in the future are put back before the run, and by a run that stops', async () => {
  let lastTime: string | null = null;
  let requests = 0;
  const fault: Fault = (request, service) => {
    lastTime = testTimeOf(request) ?? lastTime;
    const isRefused = ++requests > 50 && testTimeOf(request) !== 'now';
    return isRefused ? new Response('Slow down.', { status: 429 }) : service(request);
  };
  await using server = await startDeployment({ isStaging: true, fault });
  const headers = { Authorization: `Bearer ${KEY}`, 'X-Test-Time': '2090-01-01T00:00:00Z' };
  await fetch(`${server.url}/pets`, { headers });
  const { stopped, notCheckableIds } = await check(server, WITHOUT_FREE_KEY);
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
  const checked = await checkConforming(
    { isStaging: true, fault },
    { keys: { key: KEY, ...PLAN_KEYS } },
  );
  expect(reasonOf(checked, 'limits.pro')).toStartWith('Only on staging');
});

test('a key that expires before the removal of getPet is not a failure', async () => {
  const fault = onResponse(
    (_, request) => (testTimeOf(request) ?? '').startsWith('2030-12'),
    problem(401),
  );
  const checked = await checkConforming({ isStaging: true, fault }, WITHOUT_FREE_KEY);
  expect(reasonOf(checked, 'getPet.removed')).toBe('The key expires before the removal of getPet.');
});

test('the --other address needs /v1 and the API, and only one of the two addresses is staging', async () => {
  const failuresOf = async (otherUrl: string, isStaging = false) => {
    const options = { ...WITHOUT_FREE_KEY, otherUrl };
    return (await checkDeployment({ isStaging }, options)).failedIds;
  };
  await using production = await startDeployment();
  await using staging = await startDeployment({ isStaging: true });
  await using open = await startDeployment({
    fault: onResponse(() => true, withStatus(200)),
  });
  expect(await failuresOf(production.url, true)).toEqual([]);
  const failed = ['service.addresses'];
  expect(await failuresOf(staging.url, true)).toEqual(failed);
  expect(await failuresOf(staging.url.replace('/v1', '/api'))).toEqual(failed);
  expect(await failuresOf(open.url)).toEqual(failed);
});
