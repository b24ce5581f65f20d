import type { Penalty } from './ban.ts';
import type { Counts } from './rate-limit.ts';

/** Changes to save. */
export interface CountsChanges {
  readonly counts: readonly (readonly [subject: string, Counts])[];
  /** Undefined deletes the entry. */
  readonly penalties: readonly (readonly [keyId: number, Penalty | undefined])[];
  /** Counts whose windows had both ended by then are deleted. */
  readonly endedBySeconds?: number | undefined;
}

/** Counts for commands to show. Undefined when nothing was counted yet. */
export interface CountsReader {
  getCounts(subject: string): Promise<Counts | undefined>;
  /** `subject` is the account of the key. */
  getPenalty(subject: string, keyId: number): Promise<Penalty | undefined>;
}

/** The counts outside the process of a limiter. */
export interface SavedCounts extends CountsReader {
  /** For an account that was removed, with all its keys. */
  removeCounts(subject: string, keyIds: readonly number[]): Promise<void>;
}

/** For a store without counts. */
export const NOTHING_SAVED: SavedCounts = {
  getCounts: async () => undefined,
  getPenalty: async () => undefined,
  removeCounts: async () => {},
};

/** Keeps the counts of the in-process limiter across restarts. */
export interface CountsJournal {
  /** The last saved counts, read on the first request. Throws `StoreUnavailableError`. */
  findCounts(subject: string): Counts | undefined;
  loadPenalties(): readonly (readonly [keyId: number, Penalty])[];
  /**
   * Resolves once the changes are saved. They are read before this returns, since the limiter goes
   * on counting in the same objects.
   */
  save(changes: CountsChanges): Promise<void>;
}

/** For counts that do not survive a restart. */
export const NO_JOURNAL: CountsJournal = {
  findCounts: () => undefined,
  loadPenalties: () => [],
  save: async () => {},
};
