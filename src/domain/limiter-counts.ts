import { type Account, accountSubject } from './account.ts';
import type { ListedKey } from './account-store.ts';
import { endOfBan } from './ban.ts';
import { usageAt } from './rate-limit.ts';
import type { UsageReader } from './usage-journal.ts';

/** How much of both windows an account has used. */
export async function readWindows(reader: UsageReader, { id, limits }: Account, nowMs: number) {
  const subject = accountSubject(id);
  const { minuteUsed, dayUsed } = usageAt(await reader.getUsage(subject), subject, nowMs);
  return {
    minute: { used: minuteUsed, limit: limits.perMinute },
    day: { used: dayUsed, limit: limits.perDay },
  };
}

/** When the ban of a key ends. Null if it is not banned. */
export async function readBan(
  reader: UsageReader,
  { id, accountId, unbannedAtMs }: ListedKey,
  nowMs: number,
): Promise<number | null> {
  return endOfBan(await reader.getPenalty(accountSubject(accountId), id), unbannedAtMs, nowMs);
}
