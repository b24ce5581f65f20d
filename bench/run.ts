import { parseArgs } from 'node:util';
import type { Contender } from './contenders/contender.ts';
import { MATCHUPS } from './matchups.ts';
import { type Footprint, footprintOf } from './measure/footprint.ts';
import { runInLab } from './measure/lab.ts';
import { CONNECTIONS } from './measure/load.ts';
import { runMatchup } from './measure/matchup.ts';
import { namesIn } from './measure/names.ts';
import type { Comparison, Race } from './measure/pair.ts';
import { WORKLOAD_NAMES } from './measure/workloads.ts';
import { conditions, toMarkdown } from './report/markdown.ts';
import { writeResults } from './report/page.ts';

/** Compares Animal Store with other servers by CPU time, two at a time. */

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
  const pace = { windows: values.quick ? 2 : 6, windowSeconds: values.quick ? 1 : 2 };
  const comparisons: Comparison[] = [];
  for (const [index, matchup] of matchups.entries()) {
    const { ours, other } = matchup;
    console.error(`${index + 1} of ${matchups.length}: ${ours.title} against ${other.title}`);
    comparisons.push(...(await runMatchup(lab, matchup, pace)));
  }
  const footprints: Footprint[] = [];
  for (const contender of new Set(matchups.flatMap(({ ours, other }) => [ours, other]))) {
    const { program } = contender;
    if (program !== undefined) footprints.push(await footprintOf(lab, contender, program));
  }
  const notes = leftOut.map(
    ({ other }) => ` Left out, since it could not be built: ${other.title}.`,
  );
  const markdown = toMarkdown(
    comparisons,
    footprints,
    conditions(pace, `${CONNECTIONS} connections for each server`) + notes.join(''),
  );
  console.log(markdown);
  if (values['write-docs']) writeResults('performance.md', markdown);
});

/** A quick run has only the comparisons with a goal. */
function chooseMatchups(values: { quick: boolean; workloads: string; contenders?: string }) {
  const workloads = namesIn(values.workloads, WORKLOAD_NAMES);
  const names = MATCHUPS.map(({ other }) => other.name);
  const contenders = values.contenders === undefined ? names : namesIn(values.contenders, names);
  const isWanted = ({ ours, goal }: Race) =>
    workloads.includes(ours) && (goal !== undefined || !values.quick);
  return MATCHUPS.filter(({ other }) => contenders.includes(other.name))
    .map((matchup) => ({ ...matchup, races: matchup.races.filter(isWanted) }))
    .filter(({ races }) => races.length > 0);
}

function canBuild({ build }: Contender): boolean {
  return build?.() ?? true;
}
