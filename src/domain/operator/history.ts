import { DAY_MS, HOUR_MS, startOfDay } from '../durations.ts';

export const OUTCOMES = [
  'served',
  'refusedByMinute',
  'refusedByDay',
  'refusedByBan',
  // Responses of the class 4xx other than 429.
  'clientErrors',
  'serverErrors',
] as const;

/** Requests by their outcome. Each request counts once. */
export type OutcomeCounts = Record<(typeof OUTCOMES)[number], number>;

/** The requests of a key for one operation in one hour, or in one day (UTC) once that is old. */
export interface UsagePeriod extends OutcomeCounts {
  readonly accountId: number;
  readonly startsAtMs: number;
  readonly keyId: number;
  /** `unknown` for a path or a method without an operation, as in the metrics. */
  readonly operation: string;
  /** The most requests that the limiter counted in one minute of the account, with all its keys. */
  busiestMinute: number;
  lastAtMs: number;
}

/** A batch is one transaction, which must not keep creations waiting. */
export const MAX_PERIODS_PER_BATCH = 250;

export interface HistoryWriter extends Pick<HistoryReader, 'oldest'> {
  /**
   * Adds to what other instances and earlier batches have counted, at most `MAX_PERIODS_PER_BATCH`.
   * Throws `StoreUnavailableError`; the batch may have been added nevertheless.
   */
  add(periods: readonly UsagePeriod[]): Promise<void>;
  /** Turns the oldest hours before a time into days, or deletes the oldest days, a batch of them. */
  compact(kind: PeriodKind, beforeMs: number): Promise<void>;
}

export interface HistoryFilter {
  /** Default: all accounts. */
  readonly accountId?: number | undefined;
  readonly operation?: string | undefined;
  /** Periods that start at this time or later. */
  readonly sinceMs: number;
}

/** The requests of an account on one day. */
export interface UsageDay extends OutcomeCounts {
  readonly accountId: number;
  readonly dayMs: number;
}

/** Usage in the past, for operators. */
export interface HistoryReader {
  /** In the order of account and start. Reads page by page, so it holds up nothing else. */
  read(filter: HistoryFilter): AsyncIterable<UsagePeriod>;
  /**
   * Sums for each account and day (UTC), of some accounts or of all. Costs less than `read`, and holds up
   * nothing else either. An account and a day may come more than once.
   */
  sumDays(sinceMs: number, accountIds?: readonly number[]): AsyncIterable<UsageDay>;
  /** The time of the last request by the id of each key that sent one, of one account or of all. */
  lastUses(accountId?: number): Promise<ReadonlyMap<number, number>>;
  /** The start of the oldest period. In the far future if there is none. */
  oldest(kind: PeriodKind): Promise<number>;
}

/** Counted from its start. Then hours become days, and days are deleted. */
const KEPT_MS = { hours: 90 * DAY_MS, days: (2 * 365 + 1) * DAY_MS };

export type PeriodKind = keyof typeof KEPT_MS;

/**
 * Compacts no more than the oldest day: a clock that is years ahead must not cost the whole history
 * before an operator notices. Requests that wait for a batch come before the next one. Returns true if
 * there is a backlog of more than a day.
 */
export async function compactHistory(history: HistoryWriter, nowMs: number): Promise<boolean> {
  let hasBacklog = false;
  for (const kind of ['hours', 'days'] as const) {
    const dueMs = nowMs - KEPT_MS[kind];
    const beforeMs = Math.min(dueMs, startOfDay(await history.oldest(kind)) + DAY_MS);
    while ((await history.oldest(kind)) < beforeMs) await history.compact(kind, beforeMs);
    hasBacklog ||= dueMs - beforeMs > DAY_MS;
  }
  return hasBacklog;
}

export const RECENT_DAYS = 30;

/** The start of the last 30 days (UTC), today included. */
export function startOfRecentDays(nowMs: number): number {
  return startOfDay(nowMs) - (RECENT_DAYS - 1) * DAY_MS;
}

export function requestsOf(counts: OutcomeCounts): number {
  return counts.served + refusalsOf(counts) + counts.clientErrors + counts.serverErrors;
}

export function refusalsOf(counts: OutcomeCounts): number {
  return counts.refusedByMinute + counts.refusedByDay + counts.refusedByBan;
}

export function noRequests(): OutcomeCounts {
  return Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as OutcomeCounts;
}

/** Adds outcome by outcome. */
export function addCounts(sums: OutcomeCounts, counts: OutcomeCounts): void {
  for (const outcome of OUTCOMES) sums[outcome] += counts[outcome];
}

const GROUPS = {
  account: ({ accountId }: UsagePeriod) => accountId,
  day: ({ startsAtMs }: UsagePeriod) => startOfDay(startsAtMs),
  hour: ({ startsAtMs }: UsagePeriod) => startsAtMs - (startsAtMs % HOUR_MS),
  operation: ({ operation }: UsagePeriod) => operation,
  key: ({ keyId }: UsagePeriod) => keyId,
};
export type HistoryGroup = keyof typeof GROUPS;
export const HISTORY_GROUPS = Object.keys(GROUPS) as HistoryGroup[];

/** The usage of an account, a day, an hour, an operation or a key. */
export interface UsageGroup extends OutcomeCounts {
  /** The id of the account or key, the start of the day or hour, or the name of the operation. */
  readonly group: number | string;
  requests: number;
  /** The most requests of one account in one of its minutes, with all its keys and operations. */
  busiestMinute: number;
}

const PERIOD_MS = { day: DAY_MS, hour: HOUR_MS };

/**
 * Adds up usage by group. Days and hours come in their order, without gaps up to now. Other groups are
 * sorted by their requests.
 */
export async function reportHistory(
  periods: AsyncIterable<UsagePeriod>,
  by: HistoryGroup,
  nowMs: number,
): Promise<UsageGroup[]> {
  const groups = new Map<number | string, UsageGroup>();
  for await (const period of periods) {
    const group = GROUPS[by](period);
    const totals = groups.get(group) ?? emptyGroup(group);
    groups.set(group, totals);
    addCounts(totals, period);
    totals.requests += requestsOf(period);
    totals.busiestMinute = Math.max(totals.busiestMinute, period.busiestMinute);
  }
  if (by !== 'day' && by !== 'hour') {
    return [...groups.values()].sort((a, b) => b.requests - a.requests);
  }
  const first = Math.min(...(groups.keys() as MapIterator<number>));
  const rows: UsageGroup[] = [];
  for (let start = first; start <= nowMs; start += PERIOD_MS[by]) {
    rows.push(groups.get(start) ?? emptyGroup(start));
  }
  return rows;
}

function emptyGroup(group: number | string): UsageGroup {
  return { group, requests: 0, busiestMinute: 0, ...noRequests() };
}

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
  periods: AsyncIterable<UsagePeriod>,
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
