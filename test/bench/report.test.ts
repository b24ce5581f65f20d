import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { OURS } from '../../bench/contenders/contenders.ts';
import { SMALL } from '../../bench/measure/fixture.ts';
import type { Entry } from '../../bench/measure/pair.ts';
import { median, spread } from '../../bench/measure/statistics.ts';
import { requestsOf } from '../../bench/measure/workloads.ts';
import { toMarkdown } from '../../bench/report/markdown.ts';
import { PAGE, withResults } from '../../bench/report/page.ts';

function entry(title: string, cpuUs: number[]): Entry {
  const figures = { p99Us: 2_000, peakMemoryMb: 50, startMs: 100 };
  return { contender: { ...OURS, title }, workload: 'getPet', cpuUs, ...figures };
}

test('the speed is the median of the ratios within each window', () => {
  const ours = entry('Ours', [10, 20, 10]);
  const other = entry('Other', [30, 60, 35]);
  const markdown = toMarkdown([{ ours, other, goal: 4 }], 'Measured today.');
  expect(markdown).toContain(
    '| Ours: getPet | Other: getPet | 3 × ±8 % | 4 × **not met** | 10 | 35 | 2 | 2 | 50 |',
  );
  expect(toMarkdown([{ ours, other, goal: 2 }], '')).toContain('| 2 × met |');
});

test('the spread ignores the lowest and the highest quarter', () => {
  expect(median([100, 9, 1, 5])).toBe(7);
  expect(spread([1, 90, 100, 110, 1_000])).toBe(0.1);
});

test('new results replace the old ones and nothing else', () => {
  const page = readFileSync(PAGE, 'utf8');
  const once = withResults(page, 'first $& figures');
  expect(once).toContain('first $& figures');
  expect(withResults(withResults(page, 'second figures'), 'first $& figures')).toBe(once);
  const rest = (text: string) => text.replace(/<!-- results: begin.*results: end -->/s, '');
  expect(rest(once)).toBe(rest(page));
});

test('of a hundred mixed requests, ninety get, nine list and one creates', () => {
  const mix = requestsOf('mix', SMALL);
  const count = (pattern: RegExp) =>
    mix.filter(({ method, path }) => pattern.test(`${method} ${path}`)).length;
  expect(count(/^GET \/v1\/pets\/\d/)).toBe(0.9 * mix.length);
  expect(count(/^GET \/v1\/pets\?/)).toBe(0.09 * mix.length);
  expect(count(/^POST/)).toBe(0.01 * mix.length);
});
