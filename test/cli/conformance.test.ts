import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { answering, hasStatus, withStatus } from '../conformance/faults.ts';
import { KEY, type SmallServer, startSmallServer } from '../conformance/small-server.ts';
import { Clock } from '../support/clock.ts';
import { commandLine, run } from '../support/command.ts';
import { requireProgram } from '../support/programs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let honest: SmallServer;
let broken: SmallServer;

beforeAll(() => {
  const clock = new Clock(Date.now());
  honest = startSmallServer({ clock });
  broken = startSmallServer({ clock, fault: answering(hasStatus(404), withStatus(400)) });
});
afterAll(() => {
  honest[Symbol.dispose]();
  broken[Symbol.dispose]();
});

const check = (url: string, ...words: string[]) =>
  run({}, 'conformance', url, '--key', KEY, ...words);

describe('the exit code is', () => {
  test('0 when nothing failed', async () => {
    const { exitCode, stdout, stderr } = await check(honest.url);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/\n\d+ passed, 0 failed, \d+ not checkable, \d+ requests\n$/);
    expect(stdout).toContain('✓ passed         The body is a bare array  [listPets.array]');
    expect(stdout).toContain('It takes a key of the Free plan: give one with --key-free.');
  });

  test('1 when something did', async () => {
    const { exitCode, stdout } = await check(broken.url);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('✗ failed         An id that no animal has is answered 404');
    expect(stdout).toContain(`-H "Authorization: Bearer $KEY"`);
    expect(stdout).not.toContain(KEY);
    expect(stdout).toContain(' 1 failed, ');
  });

  test.each([
    [
      'an address that nobody listens at',
      ['http://127.0.0.1:1'],
      '127.0.0.1:1/v1 cannot be reached',
    ],
    ['an address that is none', ['animals'], 'The address must begin with http:// or https://'],
    [
      'a key that no header can carry',
      ['http://127.0.0.1:1', '--key', 'a\nb'],
      'A key is made of letters',
    ],
    [
      'a time-out that is none',
      ['http://127.0.0.1:1', '--timeout', '0'],
      'It must be a whole number',
    ],
    ['no address', [], "missing required argument 'url'"],
  ])('2, after one line, with %s', async (_, words, message) => {
    const { exitCode, stdout, stderr } = await run({}, 'conformance', '--key', KEY, ...words);
    expect(stderr).toContain(message);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  test('2 when the key is refused', async () => {
    const { exitCode, stderr } = await check(honest.url, '--key', 'wrong');
    expect([exitCode, stderr]).toEqual([2, 'The service refuses the key, with status 401.\n']);
  });

  test('2 when the file cannot be written, after the report', async () => {
    const { exitCode, stdout, stderr } = await check(honest.url, '--junit', '/dev/null/report.xml');
    expect(exitCode).toBe(2);
    expect(stdout).toContain(' passed, ');
    expect(stderr).toStartWith('The JUnit file cannot be written: ');
  });
});

test('a base address may end in a slash, and needs no path', async () => {
  const { origin } = new URL(honest.url);
  for (const url of [origin, `${origin}/`, `${origin}/v1/`]) {
    const { stdout } = await check(url, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ url: honest.url, failed: 0 });
  }
});

test('--junit writes the report beside the one that is printed', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'report.xml');
  const { stdout } = await check(broken.url, '--json', '--junit', file);
  const { results, notCheckable } = JSON.parse(stdout);
  expect(await Bun.file(file).text()).toContain(
    `tests="${results.length}" failures="1" skipped="${notCheckable}"`,
  );
});

test('a terminal shows how far it has come, and is left clean', async () => {
  const words = commandLine('conformance', honest.url, '--key', KEY, '--json');
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const script = requireProgram('script', 'bsdutils');
  const terminal = Bun.spawn([script, '-qec', `${quoted} > /dev/null`, '/dev/null'], {
    stdin: 'ignore',
    stdout: 'pipe',
  });
  const shown = await new Response(terminal.stdout).text();
  expect(shown).toMatch(/Checked \[[#-]{30}\] \d+ % \d+ of \d+/);
  expect(shown).toEndWith('\r\u001b[K');
});
