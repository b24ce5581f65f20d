import type { KnownKey } from './api-key.ts';
import { endOfBan } from './ban.ts';
import type { CountsReader } from './counts-journal.ts';
import { DAY_MS } from './durations.ts';
import { type HistoryReader, RECENT_DAYS, startOfRecentDays } from './operator/history.ts';
import { countsAt, type Limiter, quotaOf, type WindowQuota } from './rate-limit.ts';
import { formatTime, formatTimeOrNull } from './time-text.ts';

/** How often an account may read its usage, apart from its other limits. */
export const USAGE_READS_PER_MINUTE = 30;

/** The last failed requests of a key on one instance. Those before `completeSince` may be missing. */
export interface LastFailures {
  readonly completeSince: string;
  readonly requests: readonly Readonly<Record<'at' | 'code' | 'operation' | 'requestId', string>>[];
}

/** The parts of a service that know what a caller has used. */
export interface UsageSources {
  readonly limiter: Limiter & CountsReader;
  readonly history: Pick<HistoryReader, 'sumOperations'>;
  readonly lastFailuresOf: (key: KnownKey) => LastFailures;
}

export type UsageReport = Awaited<ReturnType<typeof readUsage>>;

/** Returns what a caller may see of its key and its account. Throws if the history cannot be read. */
export async function readUsage(sources: UsageSources, key: KnownKey, nowMs: number) {
  const { limiter, history, lastFailuresOf } = sources;
  const { id, subject, accountId, unbannedAtMs, expiresAtMs, isReadOnly } = key;
  const timeMs = nowMs + key.clockOffsetMs;
  const sinceMs = startOfRecentDays(nowMs);
  const requests: Record<string, Record<string, number[]>> = {};
  for (const { operation, dayMs, ...counts } of await history.sumOperations(sinceMs, accountId)) {
    for (const [result, count] of Object.entries(counts)) {
      if (count === 0) continue;
      requests[operation] ??= {};
      requests[operation][result] ??= Array(RECENT_DAYS).fill(0);
      requests[operation][result][(dayMs - sinceMs) / DAY_MS] = count;
    }
  }
  const limits = await Promise.all([limiter.getCounts(subject), limiter.getPenalty(subject, id)])
    .then(([counts, penalty]) => {
      const banEnd = endOfBan(penalty, unbannedAtMs, timeMs);
      return {
        state: banEnd === undefined ? 'active' : 'banned',
        bannedUntil: banEnd && formatTime(banEnd * 1000),
        ...quotaOf(countsAt(counts, subject, timeMs), key, timeMs),
      };
    })
    // While Redis is away, the counts that this instance saw last are better than none.
    .catch(() => ({ state: 'unknown', bannedUntil: undefined, ...limiter.peek(key, timeMs) }));
  const { state, bannedUntil, windows } = limits;
  return {
    state,
    bannedUntil,
    expiresAt: formatTimeOrNull(expiresAtMs),
    readOnly: isReadOnly,
    windows: windows && { minute: windowJson(windows.minute), day: windowJson(windows.day) },
    requests,
    refusals: lastFailuresOf(key),
  };
}

function windowJson({ resetAtSeconds, ...window }: WindowQuota) {
  return { ...window, resetsAt: formatTime(resetAtSeconds * 1000) };
}
