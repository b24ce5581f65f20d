import { OURS_LARGE } from '../contenders/contenders.ts';
import type { Comparison } from '../measure/pair.ts';
import { median, ratios, spread } from '../measure/statistics.ts';
import { WORKLOAD_NAMES } from '../measure/workloads.ts';

const P99_GOAL = 2;
const MEMORY_GOAL_MB = 200;
const START_GOAL_MS = 300;

/** The run as Markdown. `conditions` says when, where and how it was measured. */
export function toMarkdown(comparisons: readonly Comparison[], conditions: string): string {
  const order = ({ ours }: Comparison) => WORKLOAD_NAMES.indexOf(ours.workload);
  const rows = comparisons.toSorted((a, b) => order(a) - order(b)).map(cellsOf);
  const figures = [
    'speed',
    'goal',
    'CPU µs',
    'its CPU µs',
    'p99 ms',
    'its p99 ms',
    'its memory MB',
  ];
  const head = ['Animal Store', 'against', ...figures];
  const rule = head.map((_, index) => (index < 2 ? '---' : '---:'));
  const table = [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  return [conditions, table, ...otherGoals(comparisons)].join('\n\n');
}

function cellsOf({ ours, other, goal }: Comparison): string[] {
  // How many times as fast Animal Store is, by CPU time.
  const speeds = ratios(other.cpuUs, ours.cpuUs);
  const speed = median(speeds);
  return [
    `${ours.title}: ${ours.workload}`,
    `${other.title}: ${other.workload}`,
    `${short(speed)} × ±${Math.round(100 * spread(speeds))} %`,
    goal === undefined ? '' : `${goal} × ${verdict(speed >= goal)}`,
    ...[ours, other].map(({ cpuUs }) => short(median(cpuUs))),
    ...[ours, other].map(({ p99Us }) => short(p99Us / 1_000)),
    short(other.peakMemoryMb),
  ];
}

function otherGoals(comparisons: readonly Comparison[]): string[] {
  const ceiling = comparisons.find(({ other }) => other.name === 'ceiling');
  const p99 = ceiling && ceiling.ours.p99Us / ceiling.other.p99Us;
  const large = comparisons.map(({ ours }) => ours).filter(({ name }) => name === OURS_LARGE.name);
  const memory = Math.max(...large.map(({ peakMemoryMb }) => peakMemoryMb));
  const start = large.length === 0 ? 0 : median(large.map(({ startMs }) => startMs));
  const goal = (title: string, value: number, most: number, unit: string) =>
    `${title}: ${short(value)}${unit}, at most ${most}${unit} ${verdict(value <= most)}`;
  return [
    ...(p99 === undefined ? [] : [goal('p99 of getPet against the ceiling', p99, P99_GOAL, ' ×')]),
    ...(large.length === 0
      ? []
      : [
          goal('Peak memory with 1,000,000 pets', memory, MEMORY_GOAL_MB, ' MB'),
          goal('Start to first response with 1,000,000 pets', start, START_GOAL_MS, ' ms'),
        ]),
  ];
}

function verdict(isMet: boolean): string {
  return isMet ? 'met' : '**not met**';
}

/** Three digits: the measurements are not more exact. */
function short(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
