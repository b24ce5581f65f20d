import type { KeyDirectory, KeyFinder, KnownKey } from '../domain/api-key.ts';
import { ReadCache } from '../domain/read-cache.ts';
import type { Revision } from '../domain/revision.ts';

const MOST_KEYS = 10_000;
const MOST_UNKNOWN = 1_000;

interface Accounts extends KeyFinder {
  findKey(hash: Uint8Array): KnownKey | undefined;
}

/** A change by another process holds within milliseconds, by this one at once. */
export class SqliteKnownKeys implements KeyDirectory {
  readonly #accounts: Accounts;
  readonly #known: ReadCache<string, KnownKey>;
  /** Secrets that nobody had when anything was last written: who tries one often costs no reads. */
  readonly #unknown: ReadCache<string, null>;

  constructor(accounts: Accounts, revision: Required<Revision>) {
    this.#accounts = accounts;
    this.#known = new ReadCache(revision.changes, MOST_KEYS);
    this.#unknown = new ReadCache(revision.writes, MOST_UNKNOWN);
  }

  recallKey(secret: string): KnownKey | null | undefined {
    return this.#known.recall(secret) ?? this.#unknown.recall(secret);
  }

  findKey(secret: string, hash: Uint8Array): KnownKey | undefined {
    const known = this.#accounts.findKey(hash);
    if (known === undefined) this.#unknown.remember(secret, null);
    else this.#known.remember(secret, known);
    return known;
  }
}
