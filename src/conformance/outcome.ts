import type { ShownEvidence } from './evidence.ts';

interface Passed {
  readonly outcome: 'passed';
}

interface Broken extends Partial<ShownEvidence> {
  readonly outcome: 'failed';
  readonly expected: string;
  readonly came: string;
}

interface Skipped {
  readonly outcome: 'notCheckable';
  readonly reason: string;
}

export type Outcome = Passed | Broken | Skipped;

export type Result = {
  readonly id: string;
  readonly section: string;
  readonly sentence: string;
  /** How long it took, waits included. */
  readonly milliseconds: number;
} & Outcome;

type Counts = Readonly<Record<Outcome['outcome'], number>>;

export interface Report extends Counts {
  readonly url: string;
  /** In ISO 8601, UTC. */
  readonly startedAt: string;
  readonly requests: number;
  /** Why the rest was left unchecked, where something ended the run early. */
  readonly stopped?: string;
  readonly results: readonly Result[];
}

export function countOutcomes(results: readonly Result[]): Counts {
  const counts = { passed: 0, failed: 0, notCheckable: 0 };
  for (const { outcome } of results) counts[outcome]++;
  return counts;
}
