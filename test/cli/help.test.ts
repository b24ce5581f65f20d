import { expect, test } from 'bun:test';
import { SETTINGS } from '../../src/config.ts';
import { run } from '../support/command.ts';

test('--help prints the help, and so does a call without a command, with exit code 1', async () => {
  const { exitCode, stdout } = await run({}, 'keys', 'rotate', '--help');
  expect(exitCode).toBe(0);
  expect(stdout).toStartWith('Usage: animal-store keys rotate');
  const none = await run({});
  expect(none.exitCode).toBe(1);
  expect(none.stderr).toContain('Usage: animal-store');
});

test('--version prints the version of the package', async () => {
  const { version } = await Bun.file('package.json').json();
  expect((await run({}, '--version')).stdout.trim()).toBe(version);
});

test('serve --help lists every setting with its meaning and its default', async () => {
  const { stdout } = await run({}, 'serve', '--help');
  const text = stdout.replace(/\s+/g, ' ');
  for (const { name, meaning, defaultValue } of SETTINGS) {
    expect(text).toContain(` ${name} ${meaning} (default: ${defaultValue})`);
  }
});

test.each([
  ['accounts list --databaze x', "unknown option '--databaze'\n(Did you mean --database?)"],
  ['acounts', "unknown command 'acounts'\n(Did you mean accounts?)"],
  ['deprecations report', "too many arguments for 'deprecations'"],
])('%s is an error that names the mistake', async (line, message) => {
  const { exitCode, stderr } = await run({}, ...line.split(' '));
  expect(exitCode).toBe(1);
  expect(stderr).toStartWith(`error: ${message}`);
});
