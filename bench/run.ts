import { parseArgs } from 'node:util';
import type { Contender } from './contenders/contender.ts';
import { OURS_LARGE, OURS_LARGE_PROGRAM, OURS_PROGRAM } from './contenders/contenders.ts';
import { MATCHUPS } from './matchups.ts';
import { type Footprint, footprintOf } from './measure/footprint.ts';
import { runInLab } from './measure/lab.ts';
import { CONNECTIONS } from './measure/load.ts';
import { type Matchup, runMatchup } from './measure/matchup.ts';
import { namesIn } from './measure/names.ts';
import type { Comparison, Race } from './measure/pair.ts';
import { QUICK_PACE } from './measure/windows.ts';
import { WORKLOAD_NAMES } from './measure/workloads.ts';
import { growthToMarkdown, regressions, rivalsToMarkdown } from './report/markdown.ts';
import { conditions, writeResults } from './report/page.ts';

/** Compares Animal Store with other servers by CPU time. Two servers run at a time. */

const PACE = {
  windowSeconds: 1,
  fewestWindows: 8,
  mostWindows: 40,
  firstWarmUpSeconds: 15,
  warmUpSeconds: 4,
};

await runInLab(async (lab) => {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      workloads: { type: 'string', default: WORKLOAD_NAMES.join() },
      contenders: { type: 'string' },
      'write-docs': { type: 'boolean', default: false },
    },
  });
  const wanted = chooseMatchups(values);
  const matchups = wanted.filter(({ ours, other }) => canBuild(other) && canBuild(ours));
  const leftOut = wanted.filter((matchup) => !matchups.includes(matchup));
  const pace = values.quick ? QUICK_PACE : PACE;
  const comparisons: Comparison[] = [];
  for (const [index, matchup] of matchups.entries()) {
    const { ours, other } = matchup;
    console.error(`${index + 1} of ${matchups.length}: ${ours.title} against ${other.title}`);
    comparisons.push(...(await runMatchup(lab, matchup, pace)));
  }
  const footprints: Footprint[] = [];
  for (const contender of withFootprint(matchups)) {
    console.error(`Starting ${contender.title}`);
    footprints.push(await footprintOf(lab, contender));
  }
  const notes = leftOut.map(
    ({ other }) => ` ${other.title} was left out, because it could not be built.`,
  );
  const heading = conditions(pace, `${CONNECTIONS} connections for each server`) + notes.join('');
  const parts = {
    results: rivalsToMarkdown(comparisons, footprints, heading),
    growth: growthToMarkdown(comparisons, footprints),
  };
  for (const [name, markdown] of Object.entries(parts)) {
    console.log(`${markdown}\n`);
    if (values['write-docs']) writeResults('performance.md', markdown, name);
  }
  const below = regressions(comparisons, footprints);
  if (below.length > 0) throw new Error(`Below the floor:\n${below.join('\n')}`);
});

/** Chooses the comparisons to run. A quick run has only those with a floor. */
function chooseMatchups(values: { quick: boolean; workloads: string; contenders?: string }) {
  const workloads = namesIn(values.workloads, WORKLOAD_NAMES);
  const names = MATCHUPS.map(({ other }) => other.name);
  const contenders = values.contenders === undefined ? names : namesIn(values.contenders, names);
  const isWanted = ({ ours, floor }: Race) =>
    workloads.includes(ours) && (floor !== undefined || !values.quick);
  return MATCHUPS.filter(({ other }) => contenders.includes(other.name))
    .map((matchup) => ({ ...matchup, races: matchup.races.filter(isWanted) }))
    .filter(({ races }) => races.length > 0);
}

function canBuild({ build }: Contender): boolean {
  return build?.() ?? true;
}

/** Returns the servers that are one file and, to compare starts with the large store, the executable on both stores. */
function withFootprint(matchups: readonly Matchup[]): Contender[] {
  const contenders = matchups.flatMap(({ ours, other }) => [ours, other]);
  const programs = contenders.filter(({ program }) => program !== undefined);
  const stores = contenders.includes(OURS_LARGE) ? [OURS_PROGRAM, OURS_LARGE_PROGRAM] : [];
  return [...new Set([...programs, ...stores.filter(canBuild)])];
}
