import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../test/support/free-port.ts';
import { requireProgram } from '../test/support/programs.ts';
import { animalStore, mainOf } from './measure/animal-store.ts';
import { checkOut, ROOT } from './measure/checkout.ts';
import { importFixture, SMALL } from './measure/fixture.ts';
import { measurePair } from './measure/pair.ts';
import { startServer } from './measure/server.ts';
import { median, spread } from './measure/statistics.ts';
import type { Target } from './measure/target.ts';
import { WORKLOAD_NAMES, type WorkloadName } from './measure/workloads.ts';

/** Compares the CPU time of the working tree with that of a revision, both loaded at once. */

const DEFAULT_WORKLOADS = 'getPet,listPets20,listPets100,createPet,unauthorized,overLimit';
const PACE = { windows: 4, windowSeconds: 2, warmUpSeconds: 1 };

const { values } = parseArgs({
  options: {
    base: { type: 'string' },
    dir: { type: 'string' },
    workloads: { type: 'string', default: DEFAULT_WORKLOADS },
    rounds: { type: 'string', default: '2' },
  },
});

await using cleanUp = new AsyncDisposableStack();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await cleanUp.disposeAsync();
    process.exit(130);
  });
}

try {
  requireProgram('wrk');
  requireProgram('setpriv', 'util-linux');
  const rounds = readRounds(values.rounds);
  const workloads = readWorkloads(values.workloads);
  const base = readBase();
  const folder = temporaryData();
  const results = new Map(workloads.map((name) => [name, { base: [], tree: [] } as Figures]));
  for (let round = 1; round <= rounds; round++) {
    console.error(`Round ${round} of ${rounds}`);
    await runRound(join(folder, `round-${round}`), base, results);
  }
  print(results);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

/** CPU microseconds for each request, round by round. */
interface Figures {
  readonly base: number[];
  readonly tree: number[];
}

function readBase(): string {
  if (values.dir !== undefined) return resolve(values.dir);
  if (values.base === undefined) throw new Error('Give --base REVISION or --dir FOLDER.');
  return cleanUp.use(checkOut(values.base)).folder;
}

function readRounds(text: string): number {
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  throw new Error('--rounds must be a whole number from 1 to 99.');
}

/** Inside the checkout, because the temporary folder of a machine may not be on a disk. */
function temporaryData(): string {
  const data = join(ROOT, 'bench/.data');
  mkdirSync(data, { recursive: true });
  const folder = mkdtempSync(join(data, 'compare-'));
  cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function readWorkloads(list: string): WorkloadName[] {
  return list.split(',').map((word) => {
    const found = WORKLOAD_NAMES.find((name) => name === word);
    if (found === undefined) {
      throw new Error(`Unknown workload "${word}". Choose from: ${WORKLOAD_NAMES.join(', ')}.`);
    }
    return found;
  });
}

/** Every round starts new processes, since two processes of one version differ slightly. */
async function runRound(
  folder: string,
  base: string,
  results: ReadonlyMap<WorkloadName, Figures>,
): Promise<void> {
  await using servers = new AsyncDisposableStack();
  const start = async (side: string, checkout: string): Promise<Target> => {
    const place = join(folder, side);
    mkdirSync(place, { recursive: true });
    const url = `sqlite:${join(place, 'store.db')}`;
    await importFixture(mainOf(checkout), url, SMALL);
    const port = await freePort();
    const server = servers.use(await startServer(animalStore(checkout, port, url), port));
    return { server, fixture: SMALL, folder: place };
  };
  const targets = [await start('base', base), await start('tree', ROOT)];
  for (const [workload, figures] of results) {
    const sides = targets.map((target) => ({ target, workload }));
    const [ofBase, ofTree] = await measurePair(sides, PACE);
    figures.base.push(...(ofBase?.cpuUs ?? []));
    figures.tree.push(...(ofTree?.cpuUs ?? []));
  }
}

/** The ratio is the median of the ratios within each window; ± is half of their middle half. */
function print(results: ReadonlyMap<WorkloadName, Figures>): void {
  console.log('CPU µs/request       base      tree     ratio    spread');
  for (const [name, { base, tree }] of results) {
    const ratios = tree.map((figure, window) => figure / (base[window] as number));
    const cells = [
      median(base).toFixed(2),
      median(tree).toFixed(2),
      median(ratios).toFixed(3),
      `±${(50 * spread(ratios)).toFixed(1)} %`,
    ];
    console.log(name.padEnd(14), ...cells.map((cell) => cell.padStart(9)));
  }
}
