import { DAY_MS, HOUR_MS } from '#domain/durations.ts';
import {
  addCounts,
  noRequests,
  type OutcomeCounts,
  RECENT_DAYS,
  refusalsOf,
  startOfRecentDays,
} from '#domain/operator/history.ts';
import { type ConsoleRoutes, type ConsoleSources, namesOf } from './call.ts';

/** Caches a value that takes long to read. Concurrent readers share one read, and its result for `keptMs`. */
export function cached<T>(keptMs: number, now: () => number, read: () => Promise<T>) {
  let last: { readonly value: Promise<T>; readonly atMs: number } | undefined;
  return (): Promise<T> => {
    const atMs = now();
    if (last !== undefined && Math.abs(atMs - last.atMs) < keptMs) return last.value;
    const value = read();
    last = { value, atMs };
    // A failure is not cached: the next reader tries again.
    value.catch(() => {
      last = undefined;
    });
    return value;
  };
}

const TOTALS_KEPT_MS = 60_000;
const REFUSALS_KEPT_MS = 30_000;
const MOST_REFUSED = 10;

/** The starts of the last 30 days, the oldest first. Later days, where a test clock may have put requests, are left out. */
export function recentDays(nowMs: number): number[] {
  const first = startOfRecentDays(nowMs);
  return Array.from({ length: RECENT_DAYS }, (_, day) => first + day * DAY_MS);
}

interface UsageSums {
  readonly byDay: ReadonlyMap<number, OutcomeCounts>;
  readonly byAccount: ReadonlyMap<number, OutcomeCounts>;
}

/** The requests since a time, of all accounts or of some. */
async function sumUsage(
  { store }: ConsoleSources,
  sinceMs: number,
  accountIds?: readonly number[],
): Promise<UsageSums> {
  const byDay = new Map<number, OutcomeCounts>();
  const byAccount = new Map<number, OutcomeCounts>();
  for await (const day of store.history.sum('day', sinceMs, accountIds)) {
    addCounts(byDay.getOrInsertComputed(day.group, noRequests), day);
    addCounts(byAccount.getOrInsertComputed(day.accountId, noRequests), day);
  }
  return { byDay, byAccount };
}

function listDays({ byDay }: UsageSums, nowMs: number) {
  return recentDays(nowMs).map((dayMs) => byDay.get(dayMs) ?? noRequests());
}

/** The requests of one account on each of the last 30 days. */
export async function daysOf(sources: ConsoleSources, accountId: number) {
  const nowMs = sources.now();
  return listDays(await sumUsage(sources, startOfRecentDays(nowMs), [accountId]), nowMs);
}

export type ReadTotals = () => Promise<UsageSums>;

/** Reads the usage of all accounts in the last 30 days, today included. */
export function totalsReader(sources: ConsoleSources): ReadTotals {
  const { now } = sources;
  return cached(TOTALS_KEPT_MS, now, () => sumUsage(sources, startOfRecentDays(now())));
}

export function historyRoutes(sources: ConsoleSources, readTotals: ReadTotals) {
  const { store, now } = sources;

  const readMostRefused = cached(REFUSALS_KEPT_MS, now, async () => {
    const thisHourMs = now() - (now() % HOUR_MS);
    const { byAccount } = await sumUsage(sources, thisHourMs - HOUR_MS);
    return [...byAccount]
      .filter(([, counts]) => refusalsOf(counts) > 0)
      .sort(([, a], [, b]) => refusalsOf(b) - refusalsOf(a))
      .slice(0, MOST_REFUSED);
  });

  return {
    async 'GET /api/history'() {
      const totals = await readTotals();
      const most = await readMostRefused();
      const names = await namesOf(
        store,
        most.map(([id]) => id),
      );
      const refused = most.map(([id, counts]) => ({ account: names.get(id) ?? null, ...counts }));
      return { days: listDays(totals, now()), refused };
    },
  } satisfies ConsoleRoutes;
}
