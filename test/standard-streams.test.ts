import { expect, test } from 'bun:test';
import { existsSync, rmSync } from 'node:fs';
import { commandLine, runLine, runOnTerminal } from './support/command.ts';
import { createStore } from './support/store.ts';
import { newFile } from './support/temporary-folder.ts';

test('a terminal does not show a key that you search for', async () => {
  const { url, settings } = newFile();
  await createStore(url);
  const shown = await runOnTerminal(settings, 'keys find', 'ask_secret');
  expect(shown).toStartWith('Paste the key, which is not shown, and press Enter.\r\n');
  expect(shown).toContain('This is not a whole key.');
  expect(shown).not.toContain('secret');
});

test.skipIf(!existsSync('/dev/full'))(
  'a command that cannot print what may have a key fails with the reason',
  async () => {
    const { path, settings } = newFile();
    const pipe = `${path}-pipe`;
    for (const [output, reason] of [
      ['exec "$@" >/dev/full', 'ENOSPC: no space left on device'],
      ['mkfifo "$0" && exec 3<>"$0" 4>"$0" 3>&- && exec "$@" >&4', 'EPIPE: broken pipe'],
    ] as const) {
      for (const command of ['serve', 'keys create demo']) {
        const line = ['sh', '-c', output, pipe, ...commandLine(command)];
        const { exitCode, stderr } = await runLine(line, settings);
        const lost = 'If it was to show a key, revoke that key.';
        expect(stderr).toBe(`Cannot write to standard output: ${reason}, write. ${lost}\n`);
        expect(exitCode).toBe(1);
        rmSync(pipe, { force: true });
      }
    }
  },
);
