import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test';
import { Progress, type ProgressOptions } from '../../src/cli/progress.ts';
import { TextOutput } from '../support/command.ts';

let nowMs: number;
let clock: ReturnType<typeof spyOn>;
beforeEach(() => {
  nowMs = 0;
  clock = spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => clock.mockRestore());

/** What a bar shows on a terminal, two seconds after its start. */
function shown(
  total: number | undefined,
  options: ProgressOptions,
  use: (bar: Progress) => void,
): string {
  const output = new TextOutput(80);
  {
    using bar = new Progress('Read', total, { output, showsPace: true, ...options });
    nowMs = 2_000;
    use(bar);
  }
  return output.text;
}

test('a bar shows the rate and the time left', () => {
  expect(shown(10_000, {}, (bar) => bar.step(100))).toContain(
    ' 1 % 100 of 10,000, 50/s, 3 min 18 s left',
  );
});

test('an unknown total shows the count and the rate', () => {
  expect(shown(undefined, {}, (bar) => bar.step(3_000))).toBe(
    '\r\u001b[KRead 3,000, 1,500/s\r\u001b[K',
  );
});

test('a hidden bar shows nothing, and neither does one in a pipe', () => {
  const use = (bar: Progress) => {
    bar.step();
    bar.note('waiting');
  };
  expect(shown(2, { isHidden: true }, use)).toBe('');
  const pipe = new TextOutput();
  shown(2, { output: pipe }, use);
  expect(pipe.text).toBe('');
});
