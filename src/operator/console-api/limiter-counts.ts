import type { Account } from '../../domain/account.ts';
import type { ListedKey } from '../../domain/operator/account-store.ts';
import { readBan, readWindows } from '../../domain/operator/limiter-counts.ts';
import type { UsageReader } from '../../domain/usage-journal.ts';

/** Reads the counts of the limiter. The console does without them while Redis is away. */
export class LimiterCounts {
  readonly #reader: UsageReader;
  readonly #now: () => number;

  constructor(reader: UsageReader, now: () => number) {
    this.#reader = reader;
    this.#now = now;
  }

  /** The time of the account of a key, which on staging may be its test time. */
  timeOf({ clockOffsetMs }: ListedKey): number {
    return this.#now() + clockOffsetMs;
  }

  /** Null if it is not known. */
  usageOf(account: Account) {
    return readWindows(this.#reader, account, this.#now()).catch(() => null);
  }

  /** Null if the key is not banned, undefined if that is not known. */
  bannedUntilMs(key: ListedKey): Promise<number | null | undefined> {
    return readBan(this.#reader, key, this.#now()).catch(() => undefined);
  }
}
