import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { requireProgram } from '../support/programs.ts';

const MODULE = join(import.meta.dir, '../../src/cli/progress.ts');

/** What a program shows on a pseudo-terminal. It moves the clock `nowMs`. */
async function shownBy(program: string): Promise<string> {
  const clock = 'let nowMs = 0; performance.now = () => nowMs;';
  const source = `${clock} const { Progress } = await import("${MODULE}"); ${program}`;
  const words = [requireProgram('script', 'bsdutils'), '-qec'];
  const terminal = Bun.spawn([...words, `'${process.execPath}' -e '${source}'`, '/dev/null'], {
    stdin: 'ignore',
    stdout: 'pipe',
  });
  return await new Response(terminal.stdout).text();
}

test('a bar shows the rate and the time left', async () => {
  const shown = await shownBy(`using bar = new Progress("Read", 10_000, { showsPace: true });
    nowMs = 2_000; bar.step(100);`);
  expect(shown).toContain(' 1 % 100 of 10,000, 50/s, 3 min 18 s left');
});

test('a bar for a file shows how much of the file was read', async () => {
  const shown = await shownBy(`using bar = new Progress("Read", undefined, { showsPace: true });
    nowMs = 2_000; bar.step(3_000, 0.5);`);
  expect(shown).toContain(
    `Read [${'#'.repeat(15)}${'-'.repeat(15)}] 50 % 3,000, 1,500/s, 2 s left`,
  );
});

test('an unknown total shows the count and the rate', async () => {
  const shown = await shownBy(`using bar = new Progress("Read", undefined, { showsPace: true });
    nowMs = 2_000; bar.step(3_000);`);
  expect(shown).toBe('\r\u001b[KRead 3,000, 1,500/s\r\u001b[K');
});

test('a hidden bar shows nothing', async () => {
  const shown = await shownBy(`using bar = new Progress("Read", 2, { isHidden: true });
    bar.step(); bar.note("waiting");`);
  expect(shown).toBe('');
});
