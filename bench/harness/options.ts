import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Contender } from './contender.ts';
import { WORKLOAD_NAMES, type WorkloadName } from './workloads.ts';

export interface Options {
  readonly contenders: readonly Contender[];
  readonly workloads: readonly WorkloadName[];
  readonly rounds: number;
  /** How long each is loaded with each workload, in every round. */
  readonly seconds: number;
  /** The same before the first round, which is not measured. */
  readonly warmUpSeconds: number;
  /** How often the large store is started again at the end, to see how long that takes. */
  readonly restarts: number;
  readonly out: string;
  readonly writeDocs: boolean;
}

const FULL = { rounds: 11, seconds: 1, warmUpSeconds: 3, restarts: 5 };
const QUICK = { rounds: 3, seconds: 1, warmUpSeconds: 1, restarts: 3 };
const NOT_QUICK: readonly WorkloadName[] = ['listSold20', 'banned', 'mix', 'createPetOnce'];

/** Throws, naming what is allowed, for an option or a name that does not exist. */
export function readOptions(words: string[], all: readonly Contender[]): Options {
  const { values } = parseArgs({
    args: words,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      contenders: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      out: { type: 'string', default: 'bench/results' },
      'write-docs': { type: 'boolean', default: false },
    },
  });
  const { quick } = values;
  const workloads = pick(values.only, WORKLOAD_NAMES, (name) => name);
  const contenders = pick(values.contenders, all, ({ name }) => name);
  const pace = quick ? QUICK : FULL;
  return {
    ...pace,
    rounds: count(values.rounds, pace.rounds),
    seconds: count(values.seconds, pace.seconds),
    workloads: workloads ?? WORKLOAD_NAMES.filter((name) => !quick || !NOT_QUICK.includes(name)),
    contenders: (contenders ?? all.filter(({ isQuick }) => !quick || isQuick)).filter(
      ({ isInstalled }) => isInstalled?.() ?? true,
    ),
    out: resolve(values.out),
    writeDocs: values['write-docs'],
  };
}

/** Those whose names are in a list between commas; undefined without a list. */
function pick<T>(
  list: string | undefined,
  all: readonly T[],
  nameOf: (item: T) => string,
): T[] | undefined {
  const names = list?.split(',');
  const stranger = names?.find((name) => !all.some((item) => nameOf(item) === name));
  if (stranger !== undefined) {
    throw new Error(`There is no "${stranger}". There are: ${all.map(nameOf).join(', ')}.`);
  }
  return names && all.filter((item) => names.includes(nameOf(item)));
}

function count(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new Error(`Rounds and seconds are whole numbers from 1 to 9999, not "${text}".`);
}
