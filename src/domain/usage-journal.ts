import type { Penalty } from './ban.ts';
import type { Usage } from './rate-limit.ts';

/** What changed of that which a limiter knows. Undefined stands for forgotten. */
export interface UsageChanges {
  readonly usages: readonly (readonly [subject: string, Usage | undefined])[];
  readonly penalties: readonly (readonly [keyId: number, Penalty | undefined])[];
  /** Usages whose windows had both ended by then are forgotten, whoever's they are. */
  readonly endedBySeconds?: number | undefined;
}

/** What was counted, for an operator to look at. Undefined stands for nothing yet. */
export interface UsageReader {
  getUsage(subject: string): Promise<Usage | undefined>;
  /** `subject` is the account's: a key's penalties are kept with it. */
  getPenalty(subject: string, keyId: number): Promise<Penalty | undefined>;
}

/** Where a limiter that counts in memory keeps its counts over a restart. */
export interface UsageJournal {
  /**
   * What was last saved of a subject: asked for when it is first heard of, not at the start. Throws
   * `service_unavailable` when it cannot be read.
   */
  findUsage(subject: string): Usage | undefined;
  loadPenalties(): readonly (readonly [keyId: number, Penalty])[];
  /**
   * Resolves once the changes are synced to disk. What they do not mention stays as it was. They are
   * read before this returns: the limiter goes on counting in the same objects.
   */
  save(changes: UsageChanges): Promise<void>;
}
