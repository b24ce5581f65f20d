import type { Penalty } from './ban.ts';
import type { Counts } from './rate-limit.ts';

/** Changes of counts and penalties that must be saved. */
export interface CountsChanges {
  readonly counts: readonly (readonly [subject: string, Counts])[];
  /** A penalty that is undefined is deleted. */
  readonly penalties: readonly (readonly [keyId: number, Penalty | undefined])[];
  /** Counts whose two windows had both ended by this time are deleted. */
  readonly endedBySeconds?: number | undefined;
}

/** Reads counts for commands and the console. The results are undefined if nothing was counted yet. */
export interface CountsReader {
  getCounts(subject: string): Promise<Counts | undefined>;
  /** `subject` is that of the account of the key. */
  getPenalty(subject: string, keyId: number): Promise<Penalty | undefined>;
}

/** Counts that are kept outside the process of the limiter. */
export interface SavedCounts extends CountsReader {
  /** Removes the counts of an account, and the penalties of all its keys. */
  removeCounts(subject: string, keyIds: readonly number[]): Promise<void>;
}

/** Stands in for saved counts while a store has none. */
export const NOTHING_SAVED: SavedCounts = {
  getCounts: async () => undefined,
  getPenalty: async () => undefined,
  removeCounts: async () => {},
};

/** Keeps the counts of the in-process limiter across restarts. */
export interface CountsJournal {
  /** Returns the last saved counts. The limiter asks once for each subject. Throws `StoreUnavailableError`. */
  findCounts(subject: string): Counts | undefined;
  loadPenalties(): readonly (readonly [keyId: number, Penalty])[];
  /**
   * Resolves once the changes are saved. Their values are read before this function returns, because the
   * limiter continues to count in the same objects.
   */
  save(changes: CountsChanges): Promise<void>;
}

/** Saves nothing, so that counts do not survive a restart. */
export const NO_JOURNAL: CountsJournal = {
  findCounts: () => undefined,
  loadPenalties: () => [],
  save: async () => {},
};
