import type { Contender } from '../contenders/contender.ts';
import {
  OURS,
  OURS_LARGE,
  OURS_LARGE_PROGRAM,
  OURS_PROGRAM,
  RIVALS,
} from '../contenders/contenders.ts';
import { LARGE_MEMORY, LARGE_START } from '../floors.ts';
import type { Footprint } from '../measure/footprint.ts';
import { type Comparison, type Entry, speedsOf } from '../measure/pair.ts';
import { median, percent, short, spread, withSpread } from '../measure/statistics.ts';
import { WORKLOAD_NAMES } from '../measure/workloads.ts';
import { table } from './page.ts';

/** A figure of the large store. It must be at most `most` times the same figure of the small store. */
interface Bounded {
  readonly title: string;
  readonly large: number;
  readonly small: number;
  readonly most: number;
  readonly unit: string;
}

/** The comparison of Animal Store with its rivals, as Markdown. `heading` says when, where and how it was measured. */
export function rivalsToMarkdown(
  comparisons: readonly Comparison[],
  footprints: readonly Footprint[],
  heading: string,
): string {
  const largest = Math.max(...comparisons.map((each) => spread(speedsOf(each))));
  return sections(
    `${heading} Largest spread: ${percent(largest)}.`,
    rivalTable(comparisons),
    programTable(comparisons, footprints),
  );
}

/** The comparison of Animal Store with itself, with more data or other requests, as Markdown. */
export function growthToMarkdown(
  comparisons: readonly Comparison[],
  footprints: readonly Footprint[],
): string {
  return sections(
    ownTable(comparisons),
    ...boundedFigures(comparisons, footprints).map(
      ({ title, large, small, unit }) =>
        `${title}: ${short(large)} ${unit}, ${short(large / small)} times that of the small store`,
    ),
  );
}

function sections(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}

/** Describes the results that are below their floor. */
export function regressions(
  comparisons: readonly Comparison[],
  footprints: readonly Footprint[],
): string[] {
  const slow = comparisons
    .filter((each) => each.floor !== undefined && median(speedsOf(each)) < each.floor)
    .map(
      (each) =>
        `${nameOf(each.ours)} is ${withSpread(speedsOf(each))} as fast as ` +
        `${nameOf(each.other)}; its floor is ${each.floor} ×`,
    );
  const large = boundedFigures(comparisons, footprints)
    .filter(({ large, small, most }) => large > most * small)
    .map(
      ({ title, large, small, most }) =>
        `${title}: ${short(large / small)} times that of the small store; at most ${most}`,
    );
  return [...slow, ...large];
}

/** How many requests one core serves, and how many times as fast that is as each rival. */
function rivalTable(comparisons: readonly Comparison[]): string {
  const races = comparisons.filter(({ other }) => RIVALS.includes(other.contender));
  const workloads = WORKLOAD_NAMES.filter((name) =>
    races.some(({ ours }) => ours.workload === name),
  );
  const cells = (cell: (ofWorkload: readonly Comparison[]) => string, of: readonly Comparison[]) =>
    workloads.map((name) => cell(of.filter(({ ours }) => ours.workload === name)));
  const rate = (of: readonly Comparison[]) => {
    const own = of.filter(({ ours }) => ours.contender === OURS).flatMap(({ ours }) => ours.cpuUs);
    return own.length === 0 ? '' : perSecond(median(own));
  };
  const speed = ([race]: readonly Comparison[]) =>
    race === undefined ? '' : `${short(median(speedsOf(race)))} ×`;
  const rows = [...Map.groupBy(races, ({ other }) => other.contender.title)].map(([title, of]) => [
    `as fast as ${title}`,
    ...cells(speed, of),
  ]);
  return table(
    ['', ...workloads],
    [['**Animal Store, requests a second on one core**', ...cells(rate, races)], ...rows],
  );
}

/** Formats a rate, as in "62,000". */
function perSecond(cpuUs: number): string {
  return Number((1e6 / cpuUs).toPrecision(2)).toLocaleString('en');
}

/** The table that compares workloads of Animal Store with each other. */
function ownTable(comparisons: readonly Comparison[]): string {
  const rows = comparisons
    .filter(({ other }) => !RIVALS.includes(other.contender))
    .map((each) => [nameOf(each.ours), nameOf(each.other), withSpread(speedsOf(each))]);
  return table(['Workload of Animal Store', 'compared with', 'relative speed'], rows);
}

function nameOf({ contender, workload }: Entry): string {
  return contender === OURS ? workload : `${workload}, ${contender.title}`;
}

function boundedFigures(
  comparisons: readonly Comparison[],
  footprints: readonly Footprint[],
): Bounded[] {
  const startOf = (program: Contender) =>
    footprints.find(({ contender }) => contender === program)?.startMs;
  const [largeStart, smallStart] = [OURS_LARGE_PROGRAM, OURS_PROGRAM].map(startOf);
  const underLoad = comparisons.find(
    ({ ours, other }) => ours.contender === OURS_LARGE && other.contender === OURS,
  );
  const figures: Bounded[] = [];
  // A part that was not measured is left out.
  if (largeStart !== undefined && smallStart !== undefined) {
    figures.push({
      title: 'Start of the executable to its first response, with 1,000,000 pets',
      large: largeStart,
      small: smallStart,
      most: LARGE_START,
      unit: 'ms',
    });
  }
  if (underLoad !== undefined) {
    figures.push({
      title: 'Memory under load with 1,000,000 pets and 100,000 accounts, without mapped files',
      large: underLoad.ours.memoryMb,
      small: underLoad.other.memoryMb,
      most: LARGE_MEMORY,
      unit: 'MB',
    });
  }
  return figures;
}

/** The table that compares Animal Store with another server that is one file. */
function programTable(
  comparisons: readonly Comparison[],
  footprints: readonly Footprint[],
): string {
  const [ours, other] = footprints.filter(({ contender }) => contender.program !== undefined);
  if (ours === undefined || other === undefined) return '';
  const races = comparisons.filter(({ other }) => other.contender.program !== undefined);
  const rows = [
    ...races.map(
      (race) =>
        [
          `CPU µs, ${race.ours.workload}`,
          median(race.ours.cpuUs),
          median(race.other.cpuUs),
        ] as const,
    ),
    ['start to first response, ms', ours.startMs, other.startMs] as const,
    ['idle memory without mapped files, MB', ours.idleMemoryMb, other.idleMemoryMb] as const,
    ['executable, MB', ours.executableMb, other.executableMb] as const,
  ];
  return table(
    ['', ours.contender.title, other.contender.title],
    rows.map(([name, first, second]) => [name, short(first), short(second)]),
  );
}
