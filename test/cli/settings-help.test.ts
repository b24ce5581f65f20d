import { expect, test } from 'bun:test';
import { SETTINGS } from '../../src/config.ts';
import { run } from '../support/command.ts';

test('serve --help lists every setting with its meaning and its default', async () => {
  const { stdout } = await run({}, 'serve', '--help');
  const text = stdout.replace(/\s+/g, ' ');
  for (const { name, meaning, defaultValue } of SETTINGS) {
    expect(text).toContain(` ${name} ${meaning} (default: ${defaultValue})`);
  }
  for (const option of ['--host <address>', '--port <number>', '--database <url>']) {
    expect(text).toContain(option);
  }
});

test.each([
  ['serve --prot 1', "error: unknown option '--prot'\n(Did you mean --port?)\n"],
  [
    'accounts list --databaze x',
    "error: unknown option '--databaze'\n(Did you mean --database?)\n",
  ],
  ['acounts', "error: unknown command 'acounts'\n(Did you mean accounts?)\n"],
])('%s is an error that names the close match', async (line, message) => {
  const { exitCode, stderr } = await run({}, ...line.split(' '));
  expect([exitCode, stderr.startsWith(message)]).toEqual([1, true]);
});
