import { DAY_MS, HOUR_MS } from '../durations.ts';
import {
  addCounts,
  addSlots,
  noRequests,
  type OutcomeCounts,
  type PeriodOfUse,
  requestsOf,
  SLOTS_PER_HOUR,
} from './usage-history.ts';

export const USAGE_GROUPS = ['account', 'day', 'hour', 'operation', 'key'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** The usage of an account, a day, an hour, an operation or a key. */
export interface GroupOfUse extends OutcomeCounts {
  /** The id of the account or key, the start of the day or hour, or the name of the operation. */
  readonly group: number | string;
  requests: number;
  /** The most requests of one account in one of its minutes. */
  busiestMinute: number;
}

const PERIOD_MS = { day: DAY_MS, hour: HOUR_MS };

/**
 * Adds up usage by group. Requires periods in the order of account and start. Days and hours come in
 * their order, without gaps up to now. Other groups are sorted by their requests.
 */
export async function reportUsage(
  periods: AsyncIterable<PeriodOfUse>,
  by: UsageGroup,
  nowMs: number,
): Promise<GroupOfUse[]> {
  const groups = new Map<number | string, GroupTotals>();
  for await (const period of periods) {
    const group = groupOf(period, by);
    const totals = groups.get(group) ?? new GroupTotals(group);
    groups.set(group, totals);
    totals.add(period);
  }
  if (by !== 'day' && by !== 'hour') {
    return Array.from(groups.values(), (totals) => totals.end()).sort(
      (a, b) => b.requests - a.requests,
    );
  }
  const first = Math.min(...(groups.keys() as MapIterator<number>));
  const rows: GroupOfUse[] = [];
  for (let start = first; start <= nowMs; start += PERIOD_MS[by]) {
    rows.push((groups.get(start) ?? new GroupTotals(start)).end());
  }
  return rows;
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

class GroupTotals {
  readonly #totals: GroupOfUse;
  readonly #minutes = new Minutes();

  constructor(group: number | string) {
    this.#totals = { group, requests: 0, busiestMinute: 0, ...noRequests() };
  }

  add(period: PeriodOfUse): void {
    const totals = this.#totals;
    addCounts(totals, period);
    totals.requests += requestsOf(period);
    totals.busiestMinute = Math.max(totals.busiestMinute, period.busiestMinute);
    if (period.slots !== undefined) this.#minutes.add(period, period.slots);
  }

  end(): GroupOfUse {
    const { busiestMinute } = this.#totals;
    return { ...this.#totals, busiestMinute: Math.max(busiestMinute, this.#minutes.busiest()) };
  }
}

/** Finds the busiest minute of any account, over the rows of each hour and from one hour to the next. */
class Minutes {
  #accountId = 0;
  #hourMs = 0;
  readonly #slots = new Array<number>(SLOTS_PER_HOUR).fill(0);
  #most = 0;

  add({ accountId, startsAtMs }: PeriodOfUse, slots: readonly number[]): void {
    if (accountId !== this.#accountId || startsAtMs !== this.#hourMs) {
      this.#most = this.busiest();
      const isNext = accountId === this.#accountId && startsAtMs === this.#hourMs + PERIOD_MS.hour;
      // The last minute of an hour continues in the first slot of the next one.
      const continued = isNext ? (this.#slots.at(-1) ?? 0) : 0;
      this.#slots.fill(0);
      this.#slots[0] = continued;
      this.#accountId = accountId;
      this.#hourMs = startsAtMs;
    }
    addSlots(this.#slots, slots);
  }

  busiest(): number {
    return Math.max(this.#most, ...this.#slots);
  }
}
