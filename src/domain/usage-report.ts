import type { KnownKey } from './api-key.ts';
import { endOfBan } from './ban.ts';
import type { CountsReader } from './counts-journal.ts';
import { DAY_MS } from './durations.ts';
import {
  type HistoryReader,
  OUTCOMES,
  RECENT_DAYS,
  startOfRecentDays,
} from './operator/history.ts';
import { countsAt, type Limiter, quotaOf } from './rate-limit.ts';

/** A request that was refused or failed. */
interface Failure {
  readonly atMs: number;
  readonly code: string;
  readonly operation: string;
  readonly requestId: string;
}

/** The parts of a service that know what a caller has used. */
export interface UsageSources {
  readonly limiter: Limiter & CountsReader;
  readonly history: Pick<HistoryReader, 'read'>;
  /** Returns the last failures of a key on this instance, the last one first. */
  readonly lastFailuresOf: (key: KnownKey) => readonly Failure[];
}

export type UsageReport = Awaited<ReturnType<typeof readUsage>>;

/** Returns what a caller may see of its key and its account. Throws if the history cannot be read. */
export async function readUsage(sources: UsageSources, key: KnownKey, nowMs: number) {
  const { limiter, history, lastFailuresOf } = sources;
  const { id, subject, accountId, expiresAtMs, isReadOnly } = key;
  const timeMs = nowMs + key.clockOffsetMs;
  let { windows } = limiter.peek(key, timeMs);
  let bannedUntilSeconds: number | undefined;
  let state = 'unknown';
  try {
    const counts = countsAt(await limiter.getCounts(subject), subject, timeMs);
    const penalty = await limiter.getPenalty(subject, id);
    bannedUntilSeconds = endOfBan(penalty, key.unbannedAtMs, timeMs);
    state = bannedUntilSeconds === undefined ? 'active' : 'banned';
    windows = quotaOf(counts, key, timeMs).windows;
  } catch {
    // While Redis is away, the counts that this instance saw last are better than none.
  }
  const sinceMs = startOfRecentDays(nowMs);
  const requests = new Map<string, { operation: string; result: string; days: number[] }>();
  for await (const period of history.read({ accountId, sinceMs })) {
    const { operation, startsAtMs } = period;
    const day = Math.floor((startsAtMs - sinceMs) / DAY_MS);
    // If the clock was wrong, there may be later days.
    for (const result of OUTCOMES.filter((each) => period[each] > 0 && day < RECENT_DAYS)) {
      const name = `${operation} ${result}`;
      const none = () => ({ operation, result, days: Array(RECENT_DAYS).fill(0) });
      const { days } = requests.getOrInsertComputed(name, none);
      days[day] = (days[day] ?? 0) + period[result];
    }
  }
  return {
    state,
    bannedUntilSeconds,
    expiresAtMs,
    isReadOnly,
    windows,
    requests: [...requests.values()].sort((a, b) => (a.operation < b.operation ? -1 : 1)),
    refusals: lastFailuresOf(key),
  };
}
