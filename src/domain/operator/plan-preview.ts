import { startOfDay } from '../durations.ts';
import type { Limits } from '../plan.ts';
import { formatDay, formatTime } from '../time-text.ts';
import { type HistoryReader, refusalsOf, requestsOf } from './usage-history.ts';

/** The requests of an account, compared with other limits. */
export interface LimitsPreview {
  readonly since: string;
  /** Includes those that were refused. */
  readonly requests: number;
  /** At least: the history has one minute of an hour, without the requests that were refused. */
  readonly refused: number;
  /** Requests that a limit or a ban did refuse. */
  readonly refusedInFact: number;
  /** The window that would have refused the most. Null if none would have. */
  readonly worst: FullWindow | null;
}

interface FullWindow {
  readonly window: 'minute' | 'day';
  readonly day: string;
  /** Without the requests that were refused in fact. */
  readonly requests: number;
  readonly refused: number;
}

/** Compares the past of an account with other limits, from the start of a day (UTC). */
export async function previewAccount(
  history: Pick<HistoryReader, 'read'>,
  accountId: number,
  { perMinute, perDay }: Limits,
  sinceMs: number,
): Promise<LimitsPreview> {
  let requests = 0;
  let refusedInFact = 0;
  let minute = fullWindow('minute', 0, 0, perMinute);
  /** The requests of each day that were not refused. */
  const admitted = new Map<number, number>();
  for await (const period of history.read({ accountId, sinceMs })) {
    const dayMs = startOfDay(period.startsAtMs);
    const sent = requestsOf(period);
    const refused = refusalsOf(period);
    requests += sent;
    refusedInFact += refused;
    admitted.set(dayMs, (admitted.get(dayMs) ?? 0) + sent - refused);
    if (period.busiestMinute > minute.requests) {
      minute = fullWindow('minute', dayMs, period.busiestMinute, perMinute);
    }
  }
  const days = Array.from(admitted, ([dayMs, sent]) => fullWindow('day', dayMs, sent, perDay));
  const refusedByDays = days.reduce((sum, { refused }) => sum + refused, 0);
  const [worst] = [minute, ...days].sort((a, b) => b.refused - a.refused);
  return {
    since: formatTime(sinceMs),
    requests,
    // Not the sum: a request that one window refuses does not count in the other.
    refused: Math.max(minute.refused, refusedByDays),
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
