import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { toChart } from '../../bench/harness/chart.ts';
import type { Contender } from '../../bench/harness/contender.ts';
import { CONTENDERS } from '../../bench/harness/contenders.ts';
import { judge } from '../../bench/harness/goals.ts';
import { toMarkdown } from '../../bench/harness/markdown.ts';
import { readOptions } from '../../bench/harness/options.ts';
import { PAGE, withResults } from '../../bench/harness/performance-page.ts';
import type { Report } from '../../bench/harness/report.ts';
import { type Results, resultsOf } from '../../bench/harness/results.ts';
import { RACES, WORKLOAD_NAMES } from '../../bench/harness/workloads.ts';

/** Two rounds in which ours served 300 and 330 a second, and another 100 each time. */
function report(other: string, title = 'Tom & <Co>'): Report {
  const results: Results = new Map();
  const figures = { p50Us: 1_000, p99Us: 2_000, cpuUsPerRequest: 30 };
  resultsOf(results, 'animal-store').samples.getPet = [
    { perSecond: 300, ...figures },
    { perSecond: 330, ...figures },
  ];
  resultsOf(results, other).samples.getPet = [
    { perSecond: 100, ...figures },
    { perSecond: 100, ...figures },
  ];
  const contenders = CONTENDERS.filter(({ name }) => results.has(name)).map((contender) =>
    contender.name === other ? { ...contender, title } : contender,
  );
  const run = { takenAt: '2026-11-15', machine: {}, rounds: 2, seconds: 1, connections: 64 };
  return { ...run, contenders, results, goals: judge(results) };
}

/** The names of elements in the order in which they close, if each closes what was opened last. */
function closedElements(xml: string): string[] | undefined {
  const open: string[] = [];
  const closed: string[] = [];
  for (const [, end, name = '', empty] of xml.matchAll(/<(\/?)([a-z]+)[^<>]*?(\/?)>/g)) {
    if (end === '') open.push(name);
    if (empty === '/' || end === '/') {
      if (open.pop() !== name) return undefined;
      closed.push(name);
    }
  }
  return open.length === 0 ? closed : undefined;
}

describe('the report of a benchmark', () => {
  test('the table has medians, spreads and how many times as fast ours is', () => {
    const markdown = toMarkdown(report('fastify'));
    expect(markdown).toContain('| getPet | Animal Store | 315 | ±10 % |  | 1 | 2 | 30 |');
    expect(markdown).toContain('|  | Tom & <Co> | 100 | ±0 % | 3.15 × | 1 | 2 | 30 |');
  });

  test('a goal is met, missed, or was not measured', () => {
    const goals = new Map(report('fastify').goals.map((goal) => [goal.title, goal]));
    expect(goals.get('getPet against Fastify')).toMatchObject({ isMet: true });
    expect(goals.get('getPet against Express')).toMatchObject({ isMet: undefined });
    const missed = report('express').goals.find(({ title }) => title === 'getPet against Express');
    expect(missed).toMatchObject({ goal: 'at least 4', measured: { value: 3.15 }, isMet: false });
  });

  test('the chart is well-formed, with a bar for each contender and no script', () => {
    const chart = toChart(report('fastify'));
    const elements = closedElements(chart);
    expect(elements?.at(-1)).toBe('svg');
    expect(elements?.filter((name) => name === 'rect')).toHaveLength(2);
    expect(elements).not.toContain('script');
    expect(chart).toContain('Tom &amp; &lt;Co&gt;');
    expect(chart).toContain('prefers-color-scheme: dark');
  });

  test('results take the place of the results before, and of nothing else', () => {
    const page = readFileSync(PAGE, 'utf8');
    const once = withResults(page, 'first $& figures');
    const twice = withResults(once, 'second figures');
    expect(once).toContain('first $& figures');
    expect(twice).not.toContain('first $& figures');
    expect(withResults(twice, 'first $& figures')).toBe(once);
    expect(once.replace(/<!-- results: begin.*results: end -->/s, '')).toBe(
      page.replace(/<!-- results: begin.*results: end -->/s, ''),
    );
  });
});

describe('the options of a benchmark', () => {
  const namesOf = (contenders: readonly Contender[]) => contenders.map(({ name }) => name);

  test('workloads and contenders are chosen by name', () => {
    const words = ['--only', 'getPet,mix', '--contenders', 'express,animal-store', '--quick'];
    const options = readOptions(words, CONTENDERS);
    expect(options.workloads).toEqual(['getPet', 'mix']);
    expect(namesOf(options.contenders)).toEqual(['animal-store', 'express']);
  });

  test('a name that does not exist is answered with those that do', () => {
    expect(() => readOptions(['--contenders', 'rails'], CONTENDERS)).toThrow('fastify, express');
    expect(() => readOptions(['--only', 'deletePet'], CONTENDERS)).toThrow('getPet, listPets20');
  });

  test('every workload is in one race', () => {
    expect(RACES.flat().toSorted()).toEqual(WORKLOAD_NAMES.toSorted());
  });

  test('a quick run has all that the goals speak of', () => {
    const { contenders, workloads } = readOptions(['--quick'], CONTENDERS);
    const names = namesOf(contenders);
    for (const rival of ['ceiling', 'fastify', 'express', 'fastify-postgres']) {
      expect(names).toContain(rival);
    }
    expect(workloads).toContain('overLimit');
  });
});
