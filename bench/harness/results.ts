import type { WorkloadName } from './workloads.ts';

/** One measurement of one round. */
export interface Sample {
  readonly perSecond: number;
  readonly p50Us: number;
  readonly p99Us: number;
  /** Time on the processor, of the server alone. */
  readonly cpuUsPerRequest: number;
}

/** What was measured of one contender, round by round. */
export interface ContenderResults {
  readonly samples: Partial<Record<WorkloadName, Sample[]>>;
  readonly peakMemoryMb: number[];
  /** From the start of the process to the first answer, on the store as the run has left it. */
  readonly startMs: number[];
}

export type Results = Map<string, ContenderResults>;

export function resultsOf(results: Results, contender: string): ContenderResults {
  const known = results.get(contender);
  if (known !== undefined) return known;
  const fresh = { samples: {}, peakMemoryMb: [], startMs: [] };
  results.set(contender, fresh);
  return fresh;
}

/** One figure of every round, empty when it was not measured. */
export function figures(
  results: Results,
  contender: string,
  workload: WorkloadName,
  figure: keyof Sample,
): number[] {
  return results.get(contender)?.samples[workload]?.map((sample) => sample[figure]) ?? [];
}
