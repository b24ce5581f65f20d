import { expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import type { Report } from '../../src/conformance/report.ts';
import { runConformance } from '../../src/conformance/run.ts';
import { CHECKS_THAT_WAIT, NEVER_CHECKABLE } from '../conformance/not-checkable.ts';
import { Clock } from '../support/clock.ts';
import { makeKey, run, serve } from '../support/command.ts';
import { startService } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// Only ends a test that hangs.
setDefaultTimeout(600_000);

/** Checks of getPet that need it to exist, and to be gone. */
const BEFORE_REMOVAL = [
  'getPet.found',
  'getPet.notFound',
  'getPet.petId.integer',
  ...['accepted', 'missing', 'invalid'].map((claim) => `authentication.${claim}.getPet`),
  'versioning.deprecation',
];
const AFTER_REMOVAL = ['getPet.removed'];

test('the real program passes every check', async () => {
  using folder = temporaryFolder();
  const settings = { DATABASE_URL: `sqlite:${join(folder.path, 'store.db')}` };
  await using service = await serve(settings);
  const { secret } = await makeKey(settings, 'acceptance');
  const { secret: freeSecret } = await makeKey(settings, 'visitor', 'free');

  const { stdout, stderr, exitCode } = await run(
    {},
    ...['conformance', service.started.api, '--key', secret, '--key-free', freeSecret],
    ...['--no-wait', '--json'],
  );

  expect(stderr).toBe('');
  expectPassed(JSON.parse(stdout), [...AFTER_REMOVAL, ...CHECKS_THAT_WAIT]);
  expect(exitCode).toBe(0);
});

test.each([
  ['before getPet is removed', '2030-12-04T12:00:00Z', AFTER_REMOVAL],
  ['after getPet is removed', '2030-12-05T12:00:00Z', BEFORE_REMOVAL],
])('it also passes the checks that wait, %s', async (_, moment, notCheckable) => {
  const clock = new Clock(moment);
  await using service = await startService({ clock });
  const report = await runConformance({
    baseUrl: service.url,
    key: service.key.secret,
    freeKey: (await service.makeKey('free')).secret,
    mayWait: true,
    timeoutMs: 60_000,
    now: clock.now,
    sleep: async (ms) => clock.advance(ms / 1000),
    onWait: () => {},
  });
  expectPassed(report, notCheckable);
});

/** Expects every check to pass, except those that are not checkable now or ever. */
function expectPassed({ results }: Report, notCheckableNow: readonly string[]): void {
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  const notCheckable = results.filter(({ outcome }) => outcome === 'notCheckable');
  expect(notCheckable.map(({ id }) => id).sort()).toEqual(
    [...NEVER_CHECKABLE, ...notCheckableNow].sort(),
  );
}
