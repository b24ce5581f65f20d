import { DAY_MS } from '../durations.ts';
import { type PeriodOfUse, requestsOf } from './usage-history.ts';

/** The requests of one key for one operation, whatever their outcome. */
export interface OperationCaller {
  readonly accountId: number;
  readonly keyId: number;
  readonly lastDay: number;
  readonly lastWeek: number;
  /** The last 30 days. */
  readonly lastMonth: number;
  /** The start of the first hour or, if that is old, of its day. */
  readonly firstAtMs: number;
  readonly lastAtMs: number;
}

/** Sums up the periods of one operation for each key. Those with the most requests come first. */
export async function callersOf(
  periods: AsyncIterable<PeriodOfUse>,
  nowMs: number,
): Promise<OperationCaller[]> {
  const callers = new Map<number, OperationCaller>();
  for await (const period of periods) {
    const { accountId, keyId, startsAtMs, lastAtMs } = period;
    const known = callers.get(keyId);
    // A period counts if its last request is recent: a key that was just seen never shows 0.
    const within = (days: number) => (lastAtMs > nowMs - days * DAY_MS ? requestsOf(period) : 0);
    callers.set(keyId, {
      accountId,
      keyId,
      lastDay: (known?.lastDay ?? 0) + within(1),
      lastWeek: (known?.lastWeek ?? 0) + within(7),
      lastMonth: (known?.lastMonth ?? 0) + within(30),
      firstAtMs: Math.min(known?.firstAtMs ?? startsAtMs, startsAtMs),
      lastAtMs: Math.max(known?.lastAtMs ?? lastAtMs, lastAtMs),
    });
  }
  return [...callers.values()].sort((a, b) => b.lastMonth - a.lastMonth || b.lastAtMs - a.lastAtMs);
}
