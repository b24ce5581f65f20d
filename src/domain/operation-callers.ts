import { DAY_SECONDS } from './durations.ts';
import { OUTCOMES, type OutcomeCounts, type PeriodOfUse } from './usage-history.ts';

const DAY_MS = DAY_SECONDS * 1000;

/** The requests of one key for one operation, whatever their outcome. */
export interface OperationCaller {
  readonly accountId: number;
  readonly keyId: number;
  readonly lastDay: number;
  readonly lastWeek: number;
  /** The last 30 days. */
  readonly lastMonth: number;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
}

export interface DayOfRequests {
  /** The start of the day in UTC. */
  readonly dayMs: number;
  readonly requests: number;
}

/** Sums up the periods of one operation for each key. Those with the most requests come first. */
export async function callersOf(
  periods: AsyncIterable<PeriodOfUse>,
  nowMs: number,
): Promise<OperationCaller[]> {
  const callers = new Map<number, OperationCaller>();
  for await (const period of periods) {
    const { accountId, keyId, firstAtMs, lastAtMs } = period;
    const known = callers.get(keyId);
    // A period counts if its last request is recent: a key that was just seen never shows 0.
    const within = (days: number) => (lastAtMs > nowMs - days * DAY_MS ? requestsOf(period) : 0);
    callers.set(keyId, {
      accountId,
      keyId,
      lastDay: (known?.lastDay ?? 0) + within(1),
      lastWeek: (known?.lastWeek ?? 0) + within(7),
      lastMonth: (known?.lastMonth ?? 0) + within(30),
      firstAtMs: Math.min(known?.firstAtMs ?? firstAtMs, firstAtMs),
      lastAtMs: Math.max(known?.lastAtMs ?? lastAtMs, lastAtMs),
    });
  }
  return [...callers.values()].sort((a, b) => b.lastMonth - a.lastMonth || b.lastAtMs - a.lastAtMs);
}

/** The requests of each day in UTC, from the day of `sinceMs` to that of `nowMs`. */
export async function requestsByDay(
  periods: AsyncIterable<PeriodOfUse>,
  sinceMs: number,
  nowMs: number,
): Promise<DayOfRequests[]> {
  const first = Math.floor(sinceMs / DAY_MS);
  const days = Array<number>(Math.floor(nowMs / DAY_MS) - first + 1).fill(0);
  for await (const period of periods) {
    const day = Math.floor(period.startsAtMs / DAY_MS) - first;
    const requests = days[day];
    if (requests !== undefined) days[day] = requests + requestsOf(period);
  }
  return days.map((requests, day) => ({ dayMs: (first + day) * DAY_MS, requests }));
}

function requestsOf(counts: OutcomeCounts): number {
  return OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0);
}
