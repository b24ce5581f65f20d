import { OURS, OURS_LARGE, OURS_SHARED } from './contenders.ts';
import { figures, type Results } from './results.ts';
import { median, ratios, spread } from './statistics.ts';
import { WORKLOADS, type WorkloadName } from './workloads.ts';

interface Goal {
  readonly title: string;
  readonly bound: 'at least' | 'at most';
  readonly value: number;
  readonly unit?: string;
  /** One value for each round. */
  measure(results: Results): readonly number[];
}

export interface GoalResult {
  readonly title: string;
  readonly goal: string;
  /** Undefined when the run did not measure it. */
  readonly measured: { readonly value: number; readonly spread: number | undefined } | undefined;
  readonly isMet: boolean | undefined;
}

function throughput(
  [contender, workload]: [contender: string, workload: WorkloadName],
  [otherContender, otherWorkload]: [contender: string, workload: WorkloadName],
): (results: Results) => number[] {
  return (results) =>
    ratios(
      figures(results, contender, workload, 'perSecond'),
      figures(results, otherContender, otherWorkload, 'perSecond'),
    );
}

function against(other: string, name: string, value: number, workloads: WorkloadName[]): Goal[] {
  return workloads.map((workload) => ({
    title: `${WORKLOADS[workload].title} against ${name}`,
    bound: 'at least',
    value,
    measure: throughput([OURS, workload], [other, workload]),
  }));
}

const READS: WorkloadName[] = ['getPet', 'listPets20', 'listPets100'];

const GOALS: readonly Goal[] = [
  ...against('ceiling', 'the ceiling', 0.8, ['getPet']),
  ...against('fastify', 'Fastify', 2, READS),
  ...against('express', 'Express', 4, READS),
  ...against('fastify', 'Fastify', 5, ['createPet']),
  {
    title: '401 answers against getPet',
    bound: 'at least',
    value: 1,
    measure: throughput([OURS, 'unauthorized'], [OURS, 'getPet']),
  },
  {
    title: '429 answers against getPet',
    bound: 'at least',
    value: 1,
    measure: throughput([OURS, 'overLimit'], [OURS, 'getPet']),
  },
  {
    title: 'p99 of getPet against that of the ceiling',
    bound: 'at most',
    value: 2,
    measure: (results) =>
      ratios(
        figures(results, OURS, 'getPet', 'p99Us'),
        figures(results, 'ceiling', 'getPet', 'p99Us'),
      ),
  },
  {
    title: 'time of a page deep in 1,000,000 animals against the first',
    bound: 'at most',
    value: 1.1,
    measure: throughput([OURS_LARGE, 'firstPage'], [OURS_LARGE, 'deepPage']),
  },
  {
    title: 'the same, of one status',
    bound: 'at most',
    value: 1.1,
    measure: throughput([OURS_LARGE, 'firstSold'], [OURS_LARGE, 'deepSold']),
  },
  {
    title: 'getPet at 1,000,000 animals and 100,000 accounts against 1,000 and 1',
    bound: 'at least',
    value: 0.95,
    measure: throughput([OURS_LARGE, 'getPet'], [OURS, 'getPet']),
  },
  {
    title: 'peak memory at 1,000,000 animals and 100,000 active accounts',
    bound: 'at most',
    value: 200,
    unit: ' MB',
    measure: (results) => results.get(OURS_LARGE)?.peakMemoryMb ?? [],
  },
  {
    title: 'start to first answer, with 1,000,000 animals',
    bound: 'at most',
    value: 300,
    unit: ' ms',
    measure: (results) => results.get(OURS_LARGE)?.startMs ?? [],
  },
  {
    title: 'getPet on PostgreSQL and Redis against Fastify on the same',
    bound: 'at least',
    value: 2,
    measure: throughput([OURS_SHARED, 'getPet'], ['fastify-postgres', 'getPet']),
  },
];

export function judge(results: Results): GoalResult[] {
  return GOALS.map(({ title, bound, value, unit = '', measure }) => {
    const goal = `${bound} ${value}${unit}`;
    const rounds = measure(results);
    if (rounds.length === 0) return { title, goal, measured: undefined, isMet: undefined };
    const measured = { value: median(rounds), spread: spread(rounds) };
    const isMet = bound === 'at least' ? measured.value >= value : measured.value <= value;
    return { title, goal, measured, isMet };
  });
}
