import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { parseBaseUrl } from '#cli/conformance.ts';
import { type Fault, KEY, startDeployment } from '../conformance/deployment.ts';
import { hasStatus, onResponse } from '../conformance/faults.ts';
import { commandLine, run, runLine } from '../support/command.ts';
import { Clock } from '../support/time.ts';

/** This clock stands still, so that no window ends during a test, and is ahead, so that no reset is in the past. */
const clock = new Clock(Math.ceil(Date.now() / 3_600_000 + 1) * 3_600_000);
const conforming = await startDeployment({ clock });
afterAll(() => conforming[Symbol.asyncDispose]());

/** A run stops early at this limit. */
const limits = { [KEY]: { perMinute: 10 } };

/** A deployment that fails the first check of createPet, with a body for the terminal. */
function startBroken() {
  const fault = onResponse(
    hasStatus(201),
    ({ headers }) => new Response('\u009b2J\u202e', { headers }),
  );
  return startDeployment({ clock, limits, fault });
}

const keys = { ANIMAL_STORE_API_KEY: KEY };
const check = (words: string) => run(keys, `conformance ${words}`);

/** Runs the command on a broken deployment, with its output redirected by a shell. */
async function inShell(redirection: string) {
  await using broken = await startBroken();
  const script = `"$@" ${redirection}; exit "${'$'}{PIPESTATUS[0]}"`;
  const words = commandLine(`conformance ${broken.url} --no-wait`);
  return await runLine(['bash', '-c', script, 'bash', ...words], keys);
}

describe('the exit code is', () => {
  test('0 if nothing failed', async () => {
    const { exitCode, stdout, stderr } = await check(conforming.url);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/\n\d+ passed, 0 failed, \d+ not checkable, \d+ requests\n$/);
    expect(stdout).not.toContain('Failed statements');
    expect(stdout).toContain('✓ The body is a bare array  [listPets.array]');
    expect(stdout).toContain('This check needs ANIMAL_STORE_API_KEY_FREE: see --help.');
  });

  const url = 'http://127.0.0.1:1';
  test.each<[string, Record<string, string>, string, string]>([
    ['an address where nothing listens', keys, url, `Cannot reach ${url}`],
    ['a key for an address', keys, KEY, 'The address must be an http or https URL'],
    ['no address', keys, '', "error: missing required argument 'url'"],
    ['no key', {}, url, 'Set ANIMAL_STORE_API_KEY to an API key of the deployment.'],
    [
      'a key that no header can carry',
      { ...keys, ANIMAL_STORE_API_KEY_PRO: 'a\nb' },
      url,
      'ANIMAL_STORE_API_KEY_PRO must have up to 4,000 letters, digits and - . _ ~ + / characters.\n',
    ],
  ])('2, with one line on stderr, for %s', async (_, settings, address, message) => {
    const { exitCode, stdout, stderr } = await run(settings, `conformance ${address}`.trim());
    expect(stderr).toStartWith(message);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr.replace('(use "help" for usage)\n', '').trimEnd()).not.toContain('\n');
  });

  test.skipIf(!existsSync('/dev/full'))('2 if the report cannot be printed', async () => {
    const { exitCode, stderr } = await inShell('> /dev/full');
    expect(stderr).toMatch(/^Cannot write to standard output: ENOSPC: .*\n$/);
    expect(exitCode).toBe(2);
  });

  test('2 if the run stopped early, but 1 if a check had failed by then', async () => {
    await using good = await startDeployment({ clock, limits });
    await using broken = await startBroken();
    for (const [{ url }, code] of [
      [good, 2],
      [broken, 1],
    ] as const) {
      const { exitCode, stdout } = await check(`${url} --no-wait`);
      expect(exitCode).toBe(code);
      expect(stdout).toContain('\nThe run stopped early. The limit of the key is used up');
    }
  });

  test('1 even if the reader closes the pipe', async () => {
    expect((await inShell('| true')).exitCode).toBe(1);
  });
});

test.each([
  ['https://pets.example/', 'https://pets.example/v1'],
  ['https://pets.example/v1/', 'https://pets.example/v1'],
  ['http://[::1]:8080/shop', 'http://[::1]:8080/shop'],
])('the address %s becomes %s', (text, baseUrl) => {
  expect(parseBaseUrl(text)).toBe(baseUrl);
});

test('--exact-url checks a server whose API is at the root', async () => {
  const fault: Fault = (request, service) =>
    service(new Request(request.url.replace(/(?<=:\d+)\/(?!v1|openapi)/, '/v1/'), request));
  await using rooted = await startDeployment({ clock, fault });
  const url = new URL(rooted.url).origin;
  const { exitCode, stdout } = await check(`${url} --exact-url`);
  expect(stdout).toStartWith(`The API at ${url}\n`);
  expect(stdout).toContain('With --exact-url, the address need not end in /v1.');
  expect(exitCode).toBe(0);
});

test('a response cannot send control characters to the terminal', async () => {
  for (const options of ['', ' --json']) {
    await using hostile = await startBroken();
    const { stdout } = await check(`${hostile.url} --no-wait${options}`);
    expect(stdout).toContain('\\u009b2J\\u202e');
    expect(stdout).not.toMatch(/[\u007f-\u009f\p{Cf}]/u);
  }
});
