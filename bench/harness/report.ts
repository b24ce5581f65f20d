import type { Contender } from './contender.ts';
import { isOurs } from './contenders.ts';
import type { GoalResult } from './goals.ts';
import { figures, type Results } from './results.ts';
import { median, ratios } from './statistics.ts';
import type { WorkloadName } from './workloads.ts';

/** A run, with all that is to be told of it. */
export interface Report {
  readonly takenAt: string;
  readonly machine: Readonly<Record<string, string>>;
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  readonly contenders: readonly Contender[];
  readonly results: Results;
  readonly goals: readonly GoalResult[];
}

/** How many times as fast Animal Store is on the same kind of store; undefined for itself. */
export function timesAsFast(
  { contenders, results }: Report,
  contender: Contender,
  workload: WorkloadName,
): number | undefined {
  if (isOurs(contender)) return undefined;
  const { fixture, isShared } = contender;
  const ours = contenders.find(
    (other) => isOurs(other) && other.fixture === fixture && other.isShared === isShared,
  );
  const rounds = ratios(
    figures(results, ours?.name ?? '', workload, 'perSecond'),
    figures(results, contender.name, workload, 'perSecond'),
  );
  return rounds.length === 0 ? undefined : median(rounds);
}
