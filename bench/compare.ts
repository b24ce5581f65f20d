import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { requireProgram } from '../test/support/programs.ts';
import { animalStore, OURS } from './contenders/contenders.ts';
import { checkOut } from './measure/checkout.ts';
import { SMALL } from './measure/fixture.ts';
import { Lab } from './measure/lab.ts';
import { runMatchup } from './measure/matchup.ts';
import { namesIn } from './measure/names.ts';
import type { Comparison } from './measure/pair.ts';
import { median, ratios, spread } from './measure/statistics.ts';
import { WORKLOAD_NAMES } from './measure/workloads.ts';

/** Compares the CPU time of the working tree with that of another version, both under load. */

const DEFAULT_WORKLOADS = 'getPet,listPets20,listPets100,createPet,unauthorized,overLimit';
const PACE = { windows: 4, windowSeconds: 2 };

await using resources = new AsyncDisposableStack();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => resources.disposeAsync().finally(() => process.exit(130)));
}

try {
  const { values } = parseArgs({
    options: {
      base: { type: 'string' },
      dir: { type: 'string' },
      workloads: { type: 'string', default: DEFAULT_WORKLOADS },
      rounds: { type: 'string', default: '2' },
    },
  });
  for (const program of ['wrk', 'setpriv']) requireProgram(program);
  const names = namesIn(values.workloads, WORKLOAD_NAMES);
  const races = names.map((name) => ({ ours: name, other: name }));
  const base = animalStore('base', 'The other version', SMALL, checkoutOf(values));
  const lab = resources.use(new Lab());
  const comparisons: Comparison[] = [];
  // New processes in every round, since two processes of one version differ slightly.
  for (let round = 1; round <= Number(values.rounds); round++) {
    console.error(`Round ${round} of ${values.rounds}`);
    comparisons.push(...(await runMatchup(lab, { ours: OURS, other: base, races }, PACE)));
  }
  print(Map.groupBy(comparisons, ({ ours }) => ours.workload));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

function checkoutOf({ base, dir }: { base?: string; dir?: string }): string {
  if (dir !== undefined) return resolve(dir);
  if (base === undefined) throw new Error('Give --base REVISION or --dir FOLDER.');
  return resources.use(checkOut(base)).folder;
}

/** The ratio is the median of the ratios within each window; ± covers the middle half of them. */
function print(byWorkload: ReadonlyMap<string, readonly Comparison[]>): void {
  console.log('CPU µs/request       base      tree     ratio    spread');
  for (const [workload, comparisons] of byWorkload) {
    const base = comparisons.flatMap(({ other }) => other.cpuUs);
    const tree = comparisons.flatMap(({ ours }) => ours.cpuUs);
    const windows = ratios(tree, base);
    const cells = [
      median(base).toFixed(2),
      median(tree).toFixed(2),
      median(windows).toFixed(3),
      `±${(100 * spread(windows)).toFixed(1)} %`,
    ];
    console.log(workload.padEnd(14), ...cells.map((cell) => cell.padStart(9)));
  }
}
