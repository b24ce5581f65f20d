import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { Report } from '../../packages/conformance/src/run.ts';
import { checkDeployment } from '../conformance/deployment.ts';
import { runJson, serve } from '../support/command.ts';
import { apiCaller } from '../support/http.ts';
import { startService } from '../support/service.ts';
import type { Settings } from '../support/store.ts';
import { newFile } from '../support/temporary-folder.ts';
import { Clock } from '../support/time.ts';

/** A number of requests that docs/conformance.md promises. */
function documented(pattern: RegExp): number {
  const [, digits = ''] = pattern.exec(readFileSync('docs/conformance.md', 'utf8')) ?? [];
  return Number(digits.replace(',', ''));
}

/** Checks that need getPet to exist. */
const BEFORE_REMOVAL = [
  'getPet.found',
  'getPet.notFound',
  'getPet.petId.integer',
  'getPet.untilRemoval',
  ...['accepted', 'missing', 'invalid'].map((name) => `authentication.${name}.getPet`),
  'versioning.deprecation',
];

test('on staging every statement is checked, and the accounts stay usable', async () => {
  const settings = { ...newFile().settings, STAGING: 'on' };
  await using staging = await serve(settings);
  await using production = await startService();
  const { api, demoKey = '' } = staging.started;
  const { store: _, ...keys } = await runJson<Settings>(settings, 'staging keys');
  const check = (variables: Settings, words = api) =>
    runJson<Report>(variables, `conformance ${words} --no-wait`);

  // The demo account is on the Free plan, so its requests wait in test time.
  const freeKeys = { ...keys, ANIMAL_STORE_API_KEY: demoKey, ANIMAL_STORE_API_KEY_PRO: '' };
  const poor = await check(freeKeys);
  expect(poor.results.filter(({ outcome }) => outcome !== 'passed')).toMatchObject([
    { outcome: 'notCheckable', id: 'service.addresses' },
    { outcome: 'notCheckable', id: 'limits.pro' },
  ]);
  const report = await check(keys, `${api} --other ${production.url}`);
  expect(report.results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  expect(report).toMatchObject({ failed: 0, notCheckable: 0 });
  expect(report.requests).toBeLessThan(1.2 * documented(/sends about ([\d,]+)\s+requests/));

  const plain = Object.entries(keys).filter(([name]) => /_KEY(_[A-Z]+)?$/.test(name));
  expect(plain).not.toBeEmpty();
  for (const [, key] of [...plain, ['', demoKey]]) {
    const { status, headers } = await apiCaller(api, key).get('/pets/1');
    expect(status).toBe(200);
    const secondsLeft = Number(headers.get('x-ratelimit-reset')) - Date.now() / 1000;
    expect(secondsLeft).toBeLessThanOrEqual(86_400);
  }

  // A second call replaces the keys, and the store stays as clean.
  await runJson(settings, 'staging keys');
  const old = apiCaller(api, keys['ANIMAL_STORE_API_KEY']);
  expect((await old.get('/pets')).status).toBe(401);
});

test.each([
  ['before getPet is removed', '2030-12-04T12:00:00Z', []],
  ['after getPet is removed', '2030-12-05T00:00:00Z', BEFORE_REMOVAL],
])('it also passes the checks that wait, %s', async (_, moment, notCheckable) => {
  const report = await checkDeployment({ clock: new Clock(moment) });
  expect(report.failedIds).toEqual([]);
  expect(report.notCheckableHere.toSorted()).toEqual(notCheckable.toSorted());
  const first = documented(/up to (\d+) requests/);
  const second = documented(/requests, (\d+) more with the second key/);
  expect(report.requests).toBeLessThanOrEqual(first + second);
});
