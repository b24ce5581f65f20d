import { type Account, accountSubject } from '../account.ts';
import { endOfBan } from '../ban.ts';
import type { CountsReader } from '../counts-journal.ts';
import { countsAt } from '../rate-limit.ts';
import type { ListedKey } from './account-store.ts';

/** Reads how many requests an account has used in each of its two windows. */
export async function readWindows(reader: CountsReader, account: Account, nowMs: number) {
  const { limits, clockOffsetMs } = account;
  const subject = accountSubject(account);
  const counts = await reader.getCounts(subject);
  const { minuteUsed, dayUsed } = countsAt(counts, subject, nowMs + clockOffsetMs);
  return {
    minute: { used: minuteUsed, limit: limits.perMinute },
    day: { used: dayUsed, limit: limits.perDay },
  };
}

/** Reads when the ban of a key ends. Returns null if the key is not banned. */
export async function readBan(
  reader: CountsReader,
  { id, accountId, unbannedAtMs, clockOffsetMs, resets }: ListedKey,
  nowMs: number,
): Promise<number | null> {
  const penalty = await reader.getPenalty(accountSubject({ id: accountId, resets }), id);
  return endOfBan(penalty, unbannedAtMs, nowMs + clockOffsetMs);
}
