import { DAY_MS, HOUR_MS } from '../durations.ts';
import {
  addCounts,
  noRequests,
  type OutcomeCounts,
  type PeriodOfUse,
  requestsOf,
} from './usage-history.ts';

export const USAGE_GROUPS = ['account', 'day', 'hour', 'operation', 'key'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** The usage of an account, a day, an hour, an operation or a key. */
export interface GroupOfUse extends OutcomeCounts {
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
export async function reportUsage(
  periods: AsyncIterable<PeriodOfUse>,
  by: UsageGroup,
  nowMs: number,
): Promise<GroupOfUse[]> {
  const groups = new Map<number | string, GroupOfUse>();
  for await (const period of periods) {
    const group = groupOf(period, by);
    const totals = groups.get(group) ?? noUse(group);
    groups.set(group, totals);
    addCounts(totals, period);
    totals.requests += requestsOf(period);
    totals.busiestMinute = Math.max(totals.busiestMinute, period.busiestMinute);
  }
  if (by !== 'day' && by !== 'hour') {
    return [...groups.values()].sort((a, b) => b.requests - a.requests);
  }
  const first = Math.min(...(groups.keys() as MapIterator<number>));
  const rows: GroupOfUse[] = [];
  for (let start = first; start <= nowMs; start += PERIOD_MS[by]) {
    rows.push(groups.get(start) ?? noUse(start));
  }
  return rows;
}

function noUse(group: number | string): GroupOfUse {
  return { group, requests: 0, busiestMinute: 0, ...noRequests() };
}

function groupOf({ accountId, keyId, operation, startsAtMs }: PeriodOfUse, by: UsageGroup) {
  switch (by) {
    case 'account':
      return accountId;
    case 'key':
      return keyId;
    case 'operation':
      return operation;
    default:
      return startsAtMs - (startsAtMs % PERIOD_MS[by]);
  }
}
