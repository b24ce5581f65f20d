import type { Penalty } from './ban.ts';
import type { Usage } from './rate-limit.ts';

/** Changes to save. */
export interface UsageChanges {
  readonly usages: readonly (readonly [subject: string, Usage])[];
  /** Undefined deletes the entry. */
  readonly penalties: readonly (readonly [keyId: number, Penalty | undefined])[];
  /** Usage whose windows had both ended by then is deleted. */
  readonly endedBySeconds?: number | undefined;
}

/** Counts for commands to show. Undefined when nothing was counted yet. */
export interface UsageReader {
  getUsage(subject: string): Promise<Usage | undefined>;
  /** `subject` is the account of the key. */
  getPenalty(subject: string, keyId: number): Promise<Penalty | undefined>;
}

/** The counts outside the process of a limiter. */
export interface SavedUsage extends UsageReader {
  /** For an account that was removed, with all its keys. */
  removeUsage(subject: string, keyIds: readonly number[]): Promise<void>;
}

/** For a store without counts. */
export const NO_USAGE: SavedUsage = {
  getUsage: async () => undefined,
  getPenalty: async () => undefined,
  removeUsage: async () => {},
};

/** Keeps the counts of the in-process limiter across restarts. */
export interface UsageJournal {
  /** The last saved usage, read on the first request. Throws `StoreUnavailableError`. */
  findUsage(subject: string): Usage | undefined;
  loadPenalties(): readonly (readonly [keyId: number, Penalty])[];
  /**
   * Resolves once the changes are saved. They are read before this returns, since the limiter goes
   * on counting in the same objects.
   */
  save(changes: UsageChanges): Promise<void>;
}

/** For counts that do not survive a restart. */
export const NO_JOURNAL: UsageJournal = {
  findUsage: () => undefined,
  loadPenalties: () => [],
  save: async () => {},
};
