import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { OURS } from '../../bench/contenders/contenders.ts';
import { SMALL } from '../../bench/measure/fixture.ts';
import type { Entry } from '../../bench/measure/pair.ts';
import { median, spread } from '../../bench/measure/statistics.ts';
import { requestsOf } from '../../bench/measure/workloads.ts';
import { growthToMarkdown } from '../../bench/report/growth.ts';
import { toMarkdown } from '../../bench/report/markdown.ts';
import { withResults } from '../../bench/report/page.ts';

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

test.each(['performance.md', 'scaling.md'])(
  'new results in %s replace only the old ones',
  (name) => {
    const page = readFileSync(`docs/${name}`, 'utf8');
    const once = withResults(page, 'first $& figures');
    expect(once).toContain('first $& figures');
    expect(withResults(withResults(page, 'second figures'), 'first $& figures')).toBe(once);
    const rest = (text: string) => text.replace(/<!-- results: begin.*results: end -->/s, '');
    expect(rest(once)).toBe(rest(page));
  },
);

test('rates above the one that was reached are computed, and the first full part is named', () => {
  const run = { title: 'Usual', instances: 1, accounts: 1, connections: 64 };
  const cpuUs = { instances: [50], postgres: [90, 110], redis: [20] };
  const usual = { ...run, workload: 'ownPet', requestsPerSecond: [9_000], cpuUs } as const;
  const lines = growthToMarkdown([usual], 'Measured today.').split('\n');
  expect(lines[0]).toBe('Measured today. Largest spread: ±10 %.');
  expect(lines).toContain('| Usual | 50 | 100 | 20 |');
  const row = (start: string) => lines.find((line) => line.startsWith(`| ${start}`));
  expect(row('1,000, measured | 0.05 | 0.1 | 0.02 | an instance, at 14,000')).toBeString();
  expect(row('10,000, computed | 0.5 | 1 | 0.2 | an instance, at 14,000')).toBeString();
  expect(row('100,000, computed | 5 | 10 | 2 | Redis, at 35,000')).toContain('3 masters');
  expect(row('1,000,000, computed | 50 | 100 | 20 | PostgreSQL')).toContain('3 stores');
});

test('of a hundred mixed requests, ninety get, nine list and one creates', () => {
  const mix = requestsOf('mix', SMALL);
  const count = (pattern: RegExp) =>
    mix.filter(({ method, path }) => pattern.test(`${method} ${path}`)).length;
  expect(count(/^GET \/v1\/pets\/\d/)).toBe(0.9 * mix.length);
  expect(count(/^GET \/v1\/pets\?/)).toBe(0.09 * mix.length);
  expect(count(/^POST/)).toBe(0.01 * mix.length);
});
