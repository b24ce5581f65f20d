import { expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Report } from '../../src/conformance/outcome.ts';
import { runConformance } from '../../src/conformance/run.ts';
import { NEVER_CHECKABLE } from '../conformance/never-checkable.ts';
import { Clock } from '../support/clock.ts';
import { makeKey, run, serve } from '../support/command.ts';
import { startService } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** What --no-wait leaves out of the run against the program, whose clock is the real one. */
const WITH_A_WAIT = ['limits.exceeded.wait', 'limits.headers.reset.kept'];
/** What there is to see of getPet before it is removed, and afterwards. */
const BEFORE_REMOVAL = [
  'states.supplied',
  'getPet.found',
  'getPet.notFound',
  'getPet.petId.integer',
  ...['accepted', 'missing', 'invalid'].map((claim) => `authentication.${claim}.getPet`),
  'versioning.deprecation',
];
const AFTER_REMOVAL = ['getPet.removed'];

test('the real program keeps every sentence of the interface that can be seen from outside', async () => {
  using folder = temporaryFolder();
  const settings = { DATABASE_URL: `sqlite:${join(folder.path, 'store.db')}` };
  await using service = await serve(settings);
  const { secret } = await makeKey(settings, 'acceptance');
  const { secret: freeSecret } = await makeKey(settings, 'visitor', ['free']);

  const { stdout, stderr, exitCode } = await run(
    {},
    ...['conformance', service.started.api, '--key', secret, '--key-free', freeSecret],
    ...['--no-wait', '--json'],
  );

  expect(stderr).toBe('');
  expectKept(JSON.parse(stdout), [...AFTER_REMOVAL, ...WITH_A_WAIT]);
  expect(exitCode).toBe(0);
});

test.each([
  ['until getPet is removed', '2030-12-04T12:00:00Z', AFTER_REMOVAL],
  ['when getPet is removed', '2030-12-05T12:00:00Z', BEFORE_REMOVAL],
])('it keeps those that take a wait too, %s', async (_, moment, notCheckable) => {
  const clock = new Clock(moment);
  await using service = await startService({ clock });
  const report = await runConformance({
    baseUrl: service.url,
    key: service.key.secret,
    freeKey: (await service.makeKey('free')).secret,
    mayWait: true,
    timeoutMs: 10_000,
    now: clock.now,
    sleep: async (ms) => clock.advance(ms / 1000),
    onWait: () => {},
  });
  expectKept(report, notCheckable);
});

/** Every sentence has passed, but for those that cannot be checked, then or ever. */
function expectKept({ results }: Report, notCheckableNow: readonly string[]): void {
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  const notCheckable = results.filter(({ outcome }) => outcome === 'notCheckable');
  expect(notCheckable.map(({ id }) => id).sort()).toEqual(
    [...NEVER_CHECKABLE, ...notCheckableNow].sort(),
  );
}
