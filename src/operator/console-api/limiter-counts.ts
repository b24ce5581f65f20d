import type { Account } from '../../domain/account.ts';
import type { ListedKey } from '../../domain/operator/account-store.ts';
import { readBan, readWindows } from '../../domain/operator/limiter-counts.ts';
import { type ClockFinder, noClocks } from '../../domain/staging.ts';
import type { UsageReader } from '../../domain/usage-journal.ts';

/** Reads the counts of the limiter. The console does without them while Redis is away. */
export class LimiterCounts {
  readonly #reader: UsageReader;
  readonly #now: () => number;
  readonly #clockOf: ClockFinder;

  constructor(reader: UsageReader, now: () => number, clockOf: ClockFinder = noClocks) {
    this.#reader = reader;
    this.#now = now;
    this.#clockOf = clockOf;
  }

  /** The time of an account, which on staging may be its test time. */
  async timeOf(accountId: number): Promise<number> {
    return this.#now() + (await this.#clockOf(accountId)).offsetMs;
  }

  /** Null if it is not known. */
  usageOf(account: Account) {
    return this.#clockOf(account.id)
      .then((clock) => readWindows(this.#reader, account, this.#now(), clock))
      .catch(() => null);
  }

  /** Null if the key is not banned, undefined if that is not known. */
  bannedUntilMs(key: ListedKey): Promise<number | null | undefined> {
    return this.#clockOf(key.accountId)
      .then((clock) => readBan(this.#reader, key, this.#now(), clock))
      .catch(() => undefined);
  }
}
