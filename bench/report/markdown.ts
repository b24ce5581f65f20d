import { cpus, release } from 'node:os';
import { OURS_LARGE } from '../contenders/contenders.ts';
import type { Footprint } from '../measure/footprint.ts';
import type { Comparison, Pace } from '../measure/pair.ts';
import { median, ratios, spread } from '../measure/statistics.ts';
import { WORKLOAD_NAMES } from '../measure/workloads.ts';

const HEAD = `
| Animal Store | against | speed | goal | CPU µs | its CPU µs | p99 ms | its p99 ms | its memory MB |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |`.trim();

const FOOTPRINTS_HEAD = `
| Without load | start to first response ms | memory MB | executable MB |
| --- | ---: | ---: | ---: |`.trim();

/** When, where and how a run was measured. */
export function conditions({ windows, windowSeconds }: Pace, load: string): string {
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${cpus().length} cores of ${cpus()[0]?.model.trim()}, Linux ${release()}`;
  const pace = `${windows} windows of ${windowSeconds} s, ${load}; medians of the windows`;
  return `Measured on ${date}: ${pace}. ${machine}, Bun ${Bun.version}.`;
}

/** The run as Markdown. `heading` says when, where and how it was measured. */
export function toMarkdown(
  comparisons: readonly Comparison[],
  footprints: readonly Footprint[],
  heading: string,
): string {
  const order = ({ ours }: Comparison) => WORKLOAD_NAMES.indexOf(ours.workload);
  const rows = comparisons.toSorted((a, b) => order(a) - order(b)).map(toRow);
  const tables = [[HEAD, ...rows].join('\n'), ...footprintTable(footprints)];
  return [heading, ...tables, ...otherGoals(comparisons)].join('\n\n');
}

function footprintTable(footprints: readonly Footprint[]): string[] {
  if (footprints.length === 0) return [];
  const rows = footprints.map(({ title, startMs, idleMemoryMb, executableMb }) => {
    return `| ${[title, ...[startMs, idleMemoryMb, executableMb].map(short)].join(' | ')} |`;
  });
  return [[FOOTPRINTS_HEAD, ...rows].join('\n')];
}

function toRow({ ours, other, goal }: Comparison): string {
  // How many times as fast Animal Store is, by CPU time.
  const speeds = ratios(other.cpuUs, ours.cpuUs);
  const speed = median(speeds);
  const cells = [
    `${ours.contender.title}: ${ours.workload}`,
    `${other.contender.title}: ${other.workload}`,
    `${short(speed)} × ±${Math.round(100 * spread(speeds))} %`,
    goal === undefined ? '' : `${goal} × ${verdict(speed >= goal)}`,
    ...[ours, other].map(({ cpuUs }) => short(median(cpuUs))),
    ...[ours, other].map(({ p99Us }) => short(p99Us / 1_000)),
    short(other.peakMemoryMb),
  ];
  return `| ${cells.join(' | ')} |`;
}

function otherGoals(comparisons: readonly Comparison[]): string[] {
  const ceiling = comparisons.filter(({ other }) => other.contender.name === 'ceiling');
  const entries = comparisons.map(({ ours }) => ours);
  const large = entries.filter(({ contender }) => contender === OURS_LARGE);
  const p99s = ceiling.map(({ ours, other }) => ours.p99Us / other.p99Us);
  const memory = large.map(({ peakMemoryMb }) => peakMemoryMb);
  const starts = large.length === 0 ? [] : [median(large.map(({ startMs }) => startMs))];
  return [
    ...goalOf('p99 of getPet against the ceiling', p99s, 2, '×'),
    ...goalOf('Peak memory with 1,000,000 pets', memory, 200, 'MB'),
    ...goalOf('Start to first response with 1,000,000 pets', starts, 300, 'ms'),
  ];
}

/** The worst value counts. Without one there is nothing to say. */
function goalOf(title: string, values: readonly number[], most: number, unit: string): string[] {
  if (values.length === 0) return [];
  const worst = Math.max(...values);
  return [`${title}: ${short(worst)} ${unit}, at most ${most} ${unit} ${verdict(worst <= most)}`];
}

function verdict(isMet: boolean): string {
  return isMet ? 'met' : '**not met**';
}

/** Three digits: the measurements are not more exact. */
export function short(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
