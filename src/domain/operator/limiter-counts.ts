import { type Account, accountSubject } from '../account.ts';
import { endOfBan } from '../ban.ts';
import { usageAt } from '../rate-limit.ts';
import { NO_CLOCK, subjectInEpoch, type TestClock } from '../staging.ts';
import type { UsageReader } from '../usage-journal.ts';
import type { ListedKey } from './account-store.ts';

/** How much of both windows an account has used. */
export async function readWindows(
  reader: UsageReader,
  { id, limits }: Account,
  nowMs: number,
  clock: TestClock = NO_CLOCK,
) {
  const subject = subjectInEpoch(accountSubject(id), clock.epoch);
  const usage = await reader.getUsage(subject);
  const { minuteUsed, dayUsed } = usageAt(usage, subject, nowMs + clock.offsetMs);
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
  clock: TestClock = NO_CLOCK,
): Promise<number | null> {
  const subject = subjectInEpoch(accountSubject(accountId), clock.epoch);
  const penalty = await reader.getPenalty(subject, id);
  return endOfBan(penalty, unbannedAtMs, nowMs + clock.offsetMs);
}
