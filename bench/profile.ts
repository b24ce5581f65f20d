import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { OURS, OURS_SHARED } from './contenders/contenders.ts';
import { runInLab } from './measure/lab.ts';
import { prepareLoad } from './measure/load.ts';
import { namesIn } from './measure/names.ts';
import { warmUp } from './measure/windows.ts';
import { WORKLOAD_NAMES, type WorkloadName } from './measure/workloads.ts';

/** Prints the JavaScript functions in which Animal Store spends its time under load. With `--shared`, it runs on PostgreSQL and Redis. */

interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  readonly samples: readonly number[];
}

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

const MOST_FUNCTIONS = 30;
const NOT_OURS = new Set(['(idle)', '(program)']);

await runInLab(async (lab) => {
  const { values } = parseArgs({
    options: {
      workload: { type: 'string', default: 'getPet' },
      seconds: { type: 'string', default: '10' },
      shared: { type: 'boolean', default: false },
    },
  });
  const [workload] = namesIn(values.workload, WORKLOAD_NAMES) as [WorkloadName];
  const folder = lab.newFolder('profile');
  const contender = values.shared ? OURS_SHARED : OURS;
  const words: typeof contender.words = (settings) => {
    const [runtime = '', ...rest] = contender.words(settings);
    return [runtime, '--cpu-prof', `--cpu-prof-dir=${folder}`, ...rest];
  };
  {
    await using server = await lab.start({ ...contender, words });
    const start = await prepareLoad(server, workload);
    using load = start();
    await warmUp([load], Number(values.seconds));
    await load.end();
  }
  const [file] = readdirSync(folder);
  if (file === undefined) throw new Error('The runtime has written no profile.');
  print(JSON.parse(readFileSync(join(folder, file), 'utf8')));
});

function print({ nodes, samples }: Profile): void {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const counted = samples.map((id) => names.get(id) ?? '').filter((name) => !NOT_OURS.has(name));
  const byName = Map.groupBy(counted, (name) => name);
  const sorted = [...byName].sort(([, a], [, b]) => b.length - a.length);
  for (const [name, { length }] of sorted.slice(0, MOST_FUNCTIONS)) {
    console.log(`${((100 * length) / counted.length).toFixed(1).padStart(5)} %  ${name}`);
  }
}

/** Names a function and the place of its source. Functions of the runtime have no file. */
function nameOf({ functionName, url, lineNumber }: CallFrame): string {
  const name = functionName || '(anonymous)';
  return url === '' ? name : `${name} ${basename(url)}:${lineNumber + 1}`;
}
