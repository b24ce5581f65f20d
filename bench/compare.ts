import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { animalStore } from './contenders/contenders.ts';
import { checkOut } from './measure/checkout.ts';
import { LARGE, SMALL } from './measure/fixture.ts';
import { runInLab } from './measure/lab.ts';
import { runMatchup } from './measure/matchup.ts';
import { namesIn } from './measure/names.ts';
import type { Comparison } from './measure/pair.ts';
import { median, ratios, spread } from './measure/statistics.ts';
import { WORKLOAD_NAMES } from './measure/workloads.ts';

/**
 * Compares the CPU time of requests in the working tree with that in another version, while both are under load.
 * With `--shared`, both versions run on PostgreSQL and Redis. With `--large`, the requests are those of 100,000 accounts.
 */

const DEFAULT_WORKLOADS = 'getPet,listPets20,listPets100,createPet,unauthorized,overLimit';
const PACE = { windowSeconds: 2, fewestWindows: 4, mostWindows: 4 };

await runInLab(async (lab) => {
  const { values } = parseArgs({
    options: {
      base: { type: 'string', default: 'HEAD' },
      dir: { type: 'string' },
      large: { type: 'boolean', default: false },
      shared: { type: 'boolean', default: false },
      workloads: { type: 'string', default: DEFAULT_WORKLOADS },
      rounds: { type: 'string', default: '2' },
      'warm-up': { type: 'string', default: '1' },
    },
  });
  const { base, dir, workloads } = values;
  const races = namesIn(workloads, WORKLOAD_NAMES).map((name) => ({ ours: name, other: name }));
  const checkout = dir === undefined ? checkOut(base, lab.newFolder('base')) : resolve(dir);
  const options = { fixture: values.large ? LARGE : SMALL, isShared: values.shared };
  const ours = animalStore('tree', 'The working tree', options);
  const other = animalStore('base', 'The other version', { ...options, checkout });
  const comparisons: Comparison[] = [];
  // Every round starts new processes, because two processes of one version differ slightly.
  for (let round = 1; round <= Number(values.rounds); round++) {
    console.error(`Round ${round} of ${values.rounds}`);
    const pace = { ...PACE, warmUpSeconds: Number(values['warm-up']) };
    comparisons.push(...(await runMatchup(lab, { ours, other, races }, pace)));
  }
  print(Map.groupBy(comparisons, (comparison) => comparison.ours.workload));
});

/** The ratio is the median of the ratios within each window. */
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
