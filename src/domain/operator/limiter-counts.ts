import { type Account, accountSubject } from '../account.ts';
import { endOfBan } from '../ban.ts';
import { usageAt } from '../rate-limit.ts';
import type { UsageReader } from '../usage-journal.ts';
import type { ListedKey } from './account-store.ts';

/** How much of both windows an account has used. */
export async function readWindows(reader: UsageReader, account: Account, nowMs: number) {
  const { limits, clockOffsetMs } = account;
  const subject = accountSubject(account);
  const usage = await reader.getUsage(subject);
  const { minuteUsed, dayUsed } = usageAt(usage, subject, nowMs + clockOffsetMs);
  return {
    minute: { used: minuteUsed, limit: limits.perMinute },
    day: { used: dayUsed, limit: limits.perDay },
  };
}

/** When the ban of a key ends. Null if it is not banned. */
export async function readBan(
  reader: UsageReader,
  { id, accountId, unbannedAtMs, clockOffsetMs, resets }: ListedKey,
  nowMs: number,
): Promise<number | null> {
  const penalty = await reader.getPenalty(accountSubject({ id: accountId, resets }), id);
  return endOfBan(penalty, unbannedAtMs, nowMs + clockOffsetMs);
}
