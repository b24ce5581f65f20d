import type { KeyDirectory, KnownKey } from '../domain/api-key.ts';
import { ReadCache } from '../domain/read-cache.ts';
import type { SqliteAccountStore } from './account-store.ts';
import { reading } from './database.ts';
import type { Revision } from './revision.ts';

const MOST_KEYS = 10_000;

/** The keys of requests. A change holds for every request that comes after it. */
export class SqliteKnownKeys implements KeyDirectory {
  readonly #accounts: SqliteAccountStore;
  readonly #known: ReadCache<string, KnownKey>;

  constructor(accounts: SqliteAccountStore, revision: Revision) {
    this.#accounts = accounts;
    this.#known = new ReadCache(() => revision.read(), MOST_KEYS);
  }

  findKey(hash: Uint8Array): Promise<KnownKey | undefined> {
    return reading(() =>
      this.#known.recallOrRead(hash.toHex(), () => this.#accounts.readKey(hash)),
    );
  }
}
