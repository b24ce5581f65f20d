import { expect, test } from 'bun:test';
import { SETTINGS } from '#config.ts';
import { version } from '../../package.json' with { type: 'json' };
import lock from '../../package-lock.json' with { type: 'json' };
import client from '../../packages/client/package.json' with { type: 'json' };
import { VERSION as CLIENT_VERSION } from '../../packages/client/src/runtime.ts';
import { printed, run } from '../support/command.ts';

test('help prints the help of a command, and so does a call without one, with exit code 1', async () => {
  // The words that follow the command are never run.
  const { exitCode, stdout } = await run({}, 'help keys rotate 1 --yes');
  expect(exitCode).toBe(0);
  expect(stdout).toStartWith('Usage: animal-store keys rotate');
  const json = await run({}, 'help keys --json');
  expect([json.exitCode, json.stdout.slice(0, 24)]).toEqual([0, 'Usage: animal-store keys']);
  const none = await run({});
  expect(none.exitCode).toBe(1);
  expect(none.stderr).toContain('Usage: animal-store');
  // Every command has a description.
  expect(none.stderr).toMatch(/^ {2}keys +create, replace/m);
  expect(none.stderr).not.toMatch(/^ {2}[a-z]+$/m);
});

test('the command, the client and its page, the image and the changelog have the version of the package', async () => {
  expect(await printed({}, '--version')).toBe(`${version}\n`);
  const dockerfile = await Bun.file('Dockerfile').text();
  const changelog = await Bun.file('CHANGELOG.md').text();
  const clientPage = await Bun.file('docs/client.md').text();
  const others = [
    lock.version,
    lock.packages[''].version,
    client.version,
    CLIENT_VERSION,
    /image\.version=(\S+)/.exec(dockerfile)?.[1],
    /\/client-(\S+)\.tgz$/m.exec(clientPage)?.[1],
    // A version that is not released yet has no date.
    /^## (\d\S+) - \d/m.exec(changelog)?.[1],
  ];
  expect(others).toEqual(others.map(() => version));
});

test('serve --help lists every setting with its meaning and its default', async () => {
  const stdout = await printed({}, 'serve --help');
  const text = stdout.replace(/\s+/g, ' ');
  for (const { name, meaning, defaultValue } of SETTINGS) {
    expect(text).toContain(` ${name} ${meaning} (default: ${defaultValue})`);
  }
});

test.each([
  ['accounts list --databaze x', "unknown option '--databaze'\n(Did you mean --database?)"],
  ['help keys nonsense', `unknown command 'nonsense'\n(use "help" for usage)`],
  ['deprecations report', "too many arguments for 'deprecations'"],
])('%s is an error that names the mistake', async (line, message) => {
  const { exitCode, stderr } = await run({}, line);
  expect(exitCode).toBe(1);
  expect(stderr).toStartWith(`error: ${message}`);
});

test('with --json, an error is one line of JSON, even before the command is known', async () => {
  for (const [line, message] of [
    ['health --json', 'Cannot reach http://127.0.0.1:1. Is the service running?'],
    ['--json nonsense', "unknown command 'nonsense'"],
    ['pets list --limit x --json', "option '--limit <n>' argument 'x' is invalid."],
    ['audit --json --since soon', 'The time must be a duration (30d)'],
    ['keys --json', 'Usage: animal-store keys'],
  ] as const) {
    const { exitCode, stdout, stderr } = await run({ OPERATOR_PORT: '1' }, line);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^.+\n$/);
    expect(JSON.parse(stderr).error).toStartWith(message);
  }
});
