import type { KeyDirectory, KnownKey } from '../domain/api-key.ts';
import { ReadCache } from '../domain/read-cache.ts';
import type { Revision } from '../domain/revision.ts';
import type { SqliteAccountStore } from './account-store.ts';
import { reading } from './database.ts';

const MOST_KEYS = 10_000;

/** The keys of requests. A change holds for every request that comes after it. */
export class SqliteKnownKeys implements KeyDirectory {
  readonly #accounts: SqliteAccountStore;
  readonly #known: ReadCache<number, KnownKey>;

  constructor(accounts: SqliteAccountStore, revision: Revision) {
    this.#accounts = accounts;
    this.#known = new ReadCache(revision.changes, MOST_KEYS);
  }

  findKey(hash: Uint8Array): KnownKey | undefined {
    return reading(() => {
      const start = startOf(hash);
      const known = this.#known.recall(start);
      if (known !== undefined && isSame(known.hash, hash)) return known;
      const found = this.#accounts.readKey(hash);
      if (found !== undefined) this.#known.remember(start, found);
      return found;
    });
  }
}

/** The first 48 bits as a number, which a Map finds several times faster than a text. */
function startOf(hash: Uint8Array): number {
  let start = 0;
  for (let index = 0; index < 6; index++) start = start * 256 + (hash[index] as number);
  return start;
}

function isSame(first: Uint8Array, second: Uint8Array): boolean {
  for (let index = 0; index < first.length; index++) {
    if (first[index] !== second[index]) return false;
  }
  return true;
}
