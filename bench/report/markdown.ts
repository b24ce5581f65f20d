import type { Contender } from '../contenders/contender.ts';
import { OURS, OURS_LARGE, OURS_LARGE_PROGRAM, RIVALS } from '../contenders/contenders.ts';
import { type Goal, LARGE_MEMORY_MB, LARGE_SOURCE_START_MS, LARGE_START_MS } from '../goals.ts';
import type { Footprint } from '../measure/footprint.ts';
import { type Comparison, type Entry, speedsOf } from '../measure/pair.ts';
import { median, percent, short, spread, withSpread } from '../measure/statistics.ts';
import { WORKLOAD_NAMES } from '../measure/workloads.ts';
import { table } from './page.ts';

/** The run as Markdown. `heading` says when, where and how it was measured. */
export function toMarkdown(
  comparisons: readonly Comparison[],
  footprints: readonly Footprint[],
  heading: string,
): string {
  const largest = Math.max(...comparisons.map((each) => spread(speedsOf(each))));
  const sections = [
    `${heading} Largest spread: ${percent(largest)}.`,
    goalTable(comparisons),
    ...largeGoals(comparisons, footprints),
    rivalTable(comparisons),
    programTable(comparisons, footprints),
  ];
  return sections.filter((section) => section !== '').join('\n\n');
}

/** Comparisons with a goal, and of Animal Store with itself. */
function goalTable(comparisons: readonly Comparison[]): string {
  const order = ({ ours }: Comparison) => WORKLOAD_NAMES.indexOf(ours.workload);
  const rows = comparisons
    .filter(({ other, goal }) => goal !== undefined || !RIVALS.includes(other.contender))
    .toSorted((a, b) => order(a) - order(b))
    .map((comparison) => {
      const { ours, other, goal } = comparison;
      const speeds = speedsOf(comparison);
      return [
        nameOf(ours),
        ours.workload === other.workload ? other.contender.title : nameOf(other),
        withSpread(speeds),
        goal === undefined ? '' : `${goal.value} × ${verdict(goal, median(speeds) >= goal.value)}`,
      ];
    });
  return table(['Animal Store', 'against', 'speed', 'goal'], rows);
}

function nameOf({ contender, workload }: Entry): string {
  return contender === OURS ? workload : `${workload}, ${contender.title}`;
}

function largeGoals(comparisons: readonly Comparison[], footprints: readonly Footprint[]) {
  const starts = (wanted: Contender) =>
    footprints.filter(({ contender }) => contender === wanted).map(({ startMs }) => startMs);
  const memory = comparisons
    .map(({ ours }) => ours)
    .filter(({ contender }) => contender === OURS_LARGE);
  const start = 'Start to first response with 1,000,000 pets';
  return [
    ...atMost(`${start}, executable`, starts(OURS_LARGE_PROGRAM), LARGE_START_MS, 'ms'),
    ...atMost(`${start}, from source`, starts(OURS_LARGE), LARGE_SOURCE_START_MS, 'ms'),
    ...atMost(
      'Memory under load with 1,000,000 pets, without mapped files',
      memory.map(({ memoryMb }) => memoryMb),
      LARGE_MEMORY_MB,
      'MB',
    ),
  ];
}

/** The worst value counts. Without one there is nothing to say. */
function atMost(title: string, values: readonly number[], goal: Goal, unit: string): string[] {
  if (values.length === 0) return [];
  const worst = Math.max(...values);
  const limit = `at most ${goal.value} ${unit}`;
  return [`${title}: ${short(worst)} ${unit}, ${limit} ${verdict(goal, worst <= goal.value)}`];
}

function verdict({ whyNot }: Goal, isMet: boolean): string {
  return isMet ? 'met' : `**not met**: ${whyNot}`;
}

/** The speed against every rival that has the API of Animal Store. */
function rivalTable(comparisons: readonly Comparison[]): string {
  const races = comparisons.filter(
    ({ other }) => RIVALS.includes(other.contender) && other.contender.program === undefined,
  );
  const workloads = WORKLOAD_NAMES.filter((name) =>
    races.some(({ ours }) => ours.workload === name),
  );
  const byRival = Map.groupBy(races, ({ other }) => other.contender.title);
  const rows = [...byRival].map(([title, ofRival]) => [
    title,
    ...workloads.map((name) => {
      const race = ofRival.find(({ ours }) => ours.workload === name);
      return race === undefined ? '' : short(median(speedsOf(race)));
    }),
  ]);
  return table(['Speed against', ...workloads], rows);
}

/** Animal Store and another server that is one file. */
function programTable(
  comparisons: readonly Comparison[],
  footprints: readonly Footprint[],
): string {
  const races = comparisons.filter(({ other }) => other.contender.program !== undefined);
  const [ours, other] = footprints.filter(({ contender }) => contender.program !== undefined);
  if (ours === undefined || other === undefined) return '';
  const titles = [ours.contender.title, other.contender.title] as const;
  const toRow = (name: string, first: number, second: number) => [
    name,
    short(first),
    short(second),
    first < second ? titles[0] : titles[1],
  ];
  const rows = [
    ...races.map((race) =>
      toRow(`CPU µs, ${race.ours.workload}`, median(race.ours.cpuUs), median(race.other.cpuUs)),
    ),
    toRow('start to first response, ms', ours.startMs, other.startMs),
    toRow('idle memory without mapped files, MB', ours.idleMemoryMb, other.idleMemoryMb),
    toRow('executable, MB', ours.executableMb, other.executableMb),
  ];
  return table(['', ...titles, 'ahead'], rows);
}
