import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Contender } from '../../bench/contenders/contender.ts';
import { OURS, OURS_LARGE, RIVALS } from '../../bench/contenders/contenders.ts';
import { ROOT } from '../../bench/measure/checkout.ts';
import type { Entry } from '../../bench/measure/pair.ts';
import { regressions, rivalsToMarkdown } from '../../bench/report/markdown.ts';
import { withResults } from '../../bench/report/page.ts';

const fastify = RIVALS[3] as Contender;

function entry(contender: Contender, cpuUs: number[]): Entry {
  return { contender, workload: 'getPet', cpuUs, memoryMb: 160 };
}

test('the speed is the median of the ratios within each window, and below its floor it is a regression', () => {
  const ours = entry(OURS, [10, 20, 10]);
  const other = entry(fastify, [30, 60, 35]);
  const lines = rivalsToMarkdown([{ ours, other }], [], 'Measured today.').split('\n');
  expect(lines).toContain('| **Animal Store, requests a second on one core** | 100,000 |');
  expect(lines).toContain(`| as fast as ${fastify.title} | 3 × |`);
  expect(lines).toContain('Measured today. Largest spread: ±8 %.');
  expect(regressions([{ ours, other, floor: 3 }], [])).toEqual([]);
  expect(regressions([{ ours, other, floor: 3.1 }], [])).toEqual([
    `getPet is 3 × ±8 % as fast as getPet, ${fastify.title}; its floor is 3.1 ×`,
  ]);
  const large = { ours: { ...ours, contender: OURS_LARGE, memoryMb: 1_600 }, other: ours };
  expect(regressions([large], [])).toEqual([
    expect.stringMatching(/^Memory .*: 10 times that of the small store; at most /),
  ]);
});

test.each(['performance.md', 'scaling.md'])(
  'new results in %s replace the old ones and nothing else',
  (name) => {
    const page = readFileSync(join(ROOT, 'docs', name), 'utf8');
    const once = withResults(page, 'first $& figures');
    expect(once).toContain('first $& figures');
    expect(withResults(withResults(page, 'second figures'), 'first $& figures')).toBe(once);
  },
);
