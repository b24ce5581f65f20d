import type { FormattedEvidence } from './evidence.ts';

export type CheckOutcome =
  | { readonly outcome: 'passed' }
  | { readonly outcome: 'notCheckable'; readonly reason: string }
  | FailedOutcome;

export interface FailedOutcome extends Partial<FormattedEvidence> {
  readonly outcome: 'failed';
  readonly expected: string;
  readonly got: string;
}

export type CheckResult = {
  readonly id: string;
  readonly section: string;
  readonly statement: string;
  /** Includes waits. */
  readonly milliseconds: number;
} & CheckOutcome;

type OutcomeCounts = Readonly<Record<CheckOutcome['outcome'], number>>;

export interface Report extends OutcomeCounts {
  readonly url: string;
  /** In ISO 8601, UTC. */
  readonly startedAt: string;
  readonly requests: number;
  /** Why the run ended early, if it did. */
  readonly stopped?: string;
  readonly results: readonly CheckResult[];
}

export function countOutcomes(results: readonly CheckResult[]): OutcomeCounts {
  const counts = { passed: 0, failed: 0, notCheckable: 0 };
  for (const { outcome } of results) counts[outcome]++;
  return counts;
}
