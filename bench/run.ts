import { existsSync } from 'node:fs';
import { cpus, release } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { requireProgram } from '../test/support/programs.ts';
import { MATCHUPS } from './matchups.ts';
import { Lab } from './measure/lab.ts';
import { CONNECTIONS } from './measure/load.ts';
import { type Matchup, runMatchup } from './measure/matchup.ts';
import { namesIn } from './measure/names.ts';
import type { Comparison, Pace } from './measure/pair.ts';
import { WORKLOAD_NAMES } from './measure/workloads.ts';
import { toMarkdown } from './report/markdown.ts';
import { writePage } from './report/page.ts';

/** Compares Animal Store with other servers by CPU time, two at a time. */

await using resources = new AsyncDisposableStack();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => resources.disposeAsync().finally(() => process.exit(130)));
}

try {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      workloads: { type: 'string', default: WORKLOAD_NAMES.join() },
      contenders: { type: 'string' },
      'write-docs': { type: 'boolean', default: false },
    },
  });
  const matchups = chooseMatchups(values);
  for (const program of ['wrk', 'nginx', 'setpriv']) requireProgram(program);
  installPackages();
  const pace = { windows: values.quick ? 2 : 6, windowSeconds: values.quick ? 1 : 2 };
  const markdown = toMarkdown(await runAll(matchups, pace), conditions(pace));
  console.log(markdown);
  if (values['write-docs']) writePage(markdown);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

/** A quick run has only the comparisons with a goal. */
function chooseMatchups(values: { quick: boolean; workloads: string; contenders?: string }) {
  const workloads = namesIn(values.workloads, WORKLOAD_NAMES);
  const names = MATCHUPS.map(({ other }) => other.name);
  const contenders = values.contenders === undefined ? names : namesIn(values.contenders, names);
  return MATCHUPS.filter(({ other }) => contenders.includes(other.name))
    .map(({ races, ...matchup }) => ({
      ...matchup,
      races: races.filter(
        ({ ours, goal }) => workloads.includes(ours) && (goal !== undefined || !values.quick),
      ),
    }))
    .filter(({ races }) => races.length > 0);
}

/** The other servers are installed here, never with the service. */
function installPackages(): void {
  if (existsSync(join(import.meta.dir, 'node_modules'))) return;
  console.error('Installing the other servers into bench/node_modules.');
  const { exitCode } = Bun.spawnSync(['npm', 'ci', '--no-progress', '--prefix', import.meta.dir], {
    stdout: 'ignore',
    stderr: 'inherit',
  });
  if (exitCode !== 0) throw new Error('The installation failed. Try "npm ci --prefix bench".');
}

async function runAll(matchups: readonly Matchup[], pace: Pace): Promise<Comparison[]> {
  const lab = resources.use(new Lab());
  const comparisons: Comparison[] = [];
  for (const [index, matchup] of matchups.entries()) {
    const { ours, other } = matchup;
    console.error(`${index + 1} of ${matchups.length}: ${ours.title} against ${other.title}`);
    comparisons.push(...(await runMatchup(lab, matchup, pace)));
  }
  return comparisons;
}

function conditions({ windows, windowSeconds }: Pace): string {
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${cpus().length} cores of ${cpus()[0]?.model.trim()}, Linux ${release()}`;
  const load = `${windows} windows of ${windowSeconds} s, ${CONNECTIONS} connections for each server`;
  return `Measured on ${date}: ${load}; medians of the windows. ${machine}, Bun ${Bun.version}.`;
}
