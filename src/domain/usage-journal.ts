import type { Penalty } from './ban.ts';
import type { Usage } from './rate-limit.ts';

/** What a limiter knows: usage by subject, penalties by key. Undefined stands for forgotten. */
export interface UsageChanges {
  readonly usages: readonly (readonly [subject: string, Usage | undefined])[];
  readonly penalties: readonly (readonly [keyId: number, Penalty | undefined])[];
}

export interface UsageSnapshot extends UsageChanges {
  readonly usages: readonly (readonly [subject: string, Usage])[];
  readonly penalties: readonly (readonly [keyId: number, Penalty])[];
}

/** What was counted, for an operator to look at. Undefined stands for nothing yet. */
export interface UsageReader {
  getUsage(subject: string): Promise<Usage | undefined>;
  /** `subject` is the account's: a key's penalties are kept with it. */
  getPenalty(subject: string, keyId: number): Promise<Penalty | undefined>;
}

/** Where a limiter that counts in memory keeps its counts over a restart. */
export interface UsageJournal {
  load(): Promise<UsageSnapshot>;
  /** Resolves once the changes are synced to disk. What they do not mention stays as it was. */
  save(changes: UsageChanges): Promise<void>;
}
