import { startOfDay } from '#domain/durations.ts';
import type { Limits } from '#domain/plan.ts';
import { formatDay, formatTime } from '#domain/time-text.ts';
import { type HistoryReader, refusalsOf, reportHistory, startOfRecentDays } from './history.ts';

/** Says what other limits would have done to the requests of an account. It is part of the --json output. */
export type LimitsPreview = Awaited<ReturnType<typeof previewAccount>>;

/** Compares the last 30 days of an account with other limits. */
export async function previewAccount(
  history: Pick<HistoryReader, 'read'>,
  accountId: number,
  { perMinute, perDay }: Limits,
  nowMs: number,
) {
  const sinceMs = startOfRecentDays(nowMs);
  let requests = 0;
  let actuallyRefused = 0;
  let refusedByHours = 0;
  /** True if the limit that last refused a request was stricter. A ban can last into the next hour. */
  let isLooser = false;
  let minute = fullWindow('minute', 0, 0, perMinute);
  let lastBusiest = 0;
  const days = new Map<number, { sent: number; admitted: number }>();
  for (const hour of await reportHistory(history.read({ accountId, sinceMs }), 'hour', nowMs)) {
    const dayMs = startOfDay(Number(hour.group));
    const refused = refusalsOf(hour);
    const admitted = hour.requests - refused;
    const day = days.getOrInsert(dayMs, { sent: 0, admitted: 0 });
    day.sent += hour.requests;
    day.admitted += admitted;
    requests += hour.requests;
    actuallyRefused += refused;
    // A minute that refused requests was full, and it may have begun in the hour before.
    const busiest = Math.max(1, lastBusiest, hour.busiestMinute);
    lastBusiest = hour.busiestMinute;
    const fullMinutes = Math.floor(admitted / busiest) + 1;
    const more = Math.max(0, perMinute - busiest);
    const sent = busiest + Math.ceil(hour.refusedByMinute / fullMinutes);
    if (sent > minute.requests) minute = fullWindow('minute', dayMs, sent, perMinute);
    if (hour.refusedByMinute + hour.refusedByDay > 0) {
      isLooser =
        (hour.refusedByMinute > 0 && more > 0) || (hour.refusedByDay > 0 && perDay > day.admitted);
    }
    refusedByHours += isLooser ? Math.max(0, hour.refusedByMinute - fullMinutes * more) : refused;
  }
  const full = Array.from(days, ([dayMs, { sent }]) => fullWindow('day', dayMs, sent, perDay));
  const refusedByDays = full.reduce((sum, { refused }) => sum + refused, 0);
  const [worst] = [minute, ...full].sort((a, b) => b.refused - a.refused);
  return {
    since: formatTime(sinceMs),
    /** Includes those that were refused. */
    requests,
    /**
     * The number of requests that would have been refused, at least. It cannot be exact, because the history has only the
     * sums of each hour and its busiest minute. It is the greatest of these numbers instead of their sum, because a
     * request that one window refuses is not counted in the other one.
     */
    refused: Math.max(minute.refused, refusedByDays, refusedByHours),
    /** The number of requests that a limit or a ban has really refused. Version 1.0.0 gave it this name in its JSON. */
    refusedInFact: actuallyRefused,
    /** The window that would have refused the most requests, or null if no window would have refused any. */
    worst: worst?.refused ? worst : null,
  };
}

function fullWindow(window: 'minute' | 'day', dayMs: number, requests: number, limit: number) {
  return { window, day: formatDay(dayMs), requests, refused: Math.max(0, requests - limit) };
}
