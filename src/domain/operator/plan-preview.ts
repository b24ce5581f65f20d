import { startOfDay } from '../durations.ts';
import type { Limits } from '../plan.ts';
import { formatDay, formatTime } from '../time-text.ts';
import { type HistoryReader, refusalsOf, reportHistory, startOfRecentDays } from './history.ts';

/** The requests of an account, compared with other limits. */
export interface LimitsPreview {
  readonly since: string;
  /** Includes those that were refused. */
  readonly requests: number;
  /** At least: the history has the sums of an hour, and the busiest minute of it. */
  readonly refused: number;
  /** Requests that a limit or a ban did refuse. */
  readonly refusedInFact: number;
  /** The window that would have refused the most, at least. Null if none would have. */
  readonly worst: FullWindow | null;
}

interface FullWindow {
  readonly window: 'minute' | 'day';
  readonly day: string;
  readonly requests: number;
  readonly refused: number;
}

/** Compares the last 30 days of an account with other limits. */
export async function previewAccount(
  history: Pick<HistoryReader, 'read'>,
  accountId: number,
  { perMinute, perDay }: Limits,
  nowMs: number,
): Promise<LimitsPreview> {
  const sinceMs = startOfRecentDays(nowMs);
  let requests = 0;
  let refusedInFact = 0;
  let refusedByHours = 0;
  /** The limit that last refused was stricter. A ban can last into the next hour. */
  let isLooser = false;
  let minute = fullWindow('minute', 0, 0, perMinute);
  let lastBusiest = 0;
  const days = new Map<number, { sent: number; admitted: number }>();
  for (const hour of await reportHistory(history.read({ accountId, sinceMs }), 'hour', nowMs)) {
    const dayMs = startOfDay(Number(hour.group));
    const refused = refusalsOf(hour);
    const admitted = hour.requests - refused;
    const day = days.get(dayMs) ?? { sent: 0, admitted: 0 };
    days.set(dayMs, day);
    day.sent += hour.requests;
    day.admitted += admitted;
    requests += hour.requests;
    refusedInFact += refused;
    // A minute that refused requests was full. It may have begun in the hour before.
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
    requests,
    // Not the sum: a request that one window refuses does not count in the other.
    refused: Math.max(minute.refused, refusedByDays, refusedByHours),
    refusedInFact,
    worst: worst?.refused ? worst : null,
  };
}

function fullWindow(
  window: FullWindow['window'],
  dayMs: number,
  requests: number,
  limit: number,
): FullWindow {
  return { window, day: formatDay(dayMs), requests, refused: Math.max(0, requests - limit) };
}
