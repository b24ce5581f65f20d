import { type Account, accountSubject } from '../domain/account.ts';
import type { ListedKey } from '../domain/account-store.ts';
import { endOfBan } from '../domain/ban.ts';
import { usageAt } from '../domain/rate-limit.ts';
import type { UsageReader } from '../domain/usage-journal.ts';

/** Reads the counts of the limiter. The console does without them while Redis is away. */
export class LimiterCounts {
  readonly #reader: UsageReader;
  readonly #now: () => number;

  constructor(reader: UsageReader, now: () => number) {
    this.#reader = reader;
    this.#now = now;
  }

  /** Null if it is not known. */
  async usageOf({ id, limits }: Account) {
    const subject = accountSubject(id);
    try {
      const saved = await this.#reader.getUsage(subject);
      const { minuteUsed, dayUsed } = usageAt(saved, subject, this.#now());
      return {
        minute: { used: minuteUsed, limit: limits.perMinute },
        day: { used: dayUsed, limit: limits.perDay },
      };
    } catch {
      return null;
    }
  }

  /** Null if the key is not banned, undefined if that is not known. */
  async bannedUntilMs(key: ListedKey): Promise<number | null | undefined> {
    try {
      const saved = await this.#reader.getPenalty(accountSubject(key.accountId), key.id);
      return endOfBan(saved, key.unbannedAtMs, this.#now());
    } catch {
      return undefined;
    }
  }
}
