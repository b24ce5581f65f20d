import { DAY_MS, startOfDay } from '../../domain/durations.ts';
import {
  addCounts,
  type HistoryReader,
  noRequests,
  type OutcomeCounts,
  requestsOf,
} from '../../domain/operator/usage-history.ts';
import { Fresh } from './fresh.ts';

const DAYS = 30;
const FRESH_MS = 60_000;

/** Usage of all accounts. */
interface Totals {
  readonly byDay: Map<number, OutcomeCounts>;
  /** All requests of an account. */
  readonly byAccount: Map<number, number>;
}

/** The usage of the last 30 days, today included. All accounts are read at most once a minute. */
export class RecentUse {
  readonly #history: HistoryReader;
  readonly #now: () => number;
  readonly #totals: Fresh<Totals>;
  /** Days that get no more requests. They are read once. */
  #past: { readonly totals: Totals; readonly untilMs: number } | undefined;

  constructor(history: HistoryReader, now: () => number) {
    this.#history = history;
    this.#now = now;
    this.#totals = new Fresh(FRESH_MS, now, () => this.#read());
  }

  /** The start of each day, the oldest first. */
  days(): number[] {
    const first = this.#today() - (DAYS - 1) * DAY_MS;
    return Array.from({ length: DAYS }, (_, day) => first + day * DAY_MS);
  }

  /** The requests of some accounts on each day. */
  async requestsByDay(accountIds: readonly number[]): Promise<Map<number, number[]>> {
    const days = this.days();
    const byAccount = new Map(accountIds.map((id) => [id, days.map(() => 0)]));
    const sinceMs = days[0] ?? 0;
    for await (const use of this.#history.sumDays({ accountIds, sinceMs })) {
      const requests = byAccount.get(use.accountId);
      const day = Math.round((use.dayMs - sinceMs) / DAY_MS);
      if (requests?.[day] !== undefined) requests[day] += requestsOf(use);
    }
    return byAccount;
  }

  /** The usage of all accounts, up to a minute old. */
  totals(): Promise<Totals> {
    return this.#totals.get();
  }

  async #read(): Promise<Totals> {
    const [firstMs = 0] = this.days();
    // Instances write batches some seconds later, so yesterday may still change.
    const untilMs = this.#today() - DAY_MS;
    if (this.#past?.untilMs !== untilMs) {
      const totals = await this.#sum(firstMs, untilMs);
      this.#past = { totals, untilMs };
    }
    const { byDay, byAccount } = this.#past.totals;
    const past = { byDay: new Map(byDay), byAccount: new Map(byAccount) };
    return this.#sum(untilMs, Number.POSITIVE_INFINITY, past);
  }

  async #sum(
    sinceMs: number,
    untilMs: number,
    totals: Totals = { byDay: new Map(), byAccount: new Map() },
  ): Promise<Totals> {
    for await (const use of this.#history.sumDays({ sinceMs })) {
      if (use.dayMs >= untilMs) continue;
      const { byDay, byAccount } = totals;
      byAccount.set(use.accountId, (byAccount.get(use.accountId) ?? 0) + requestsOf(use));
      const counts = { ...(byDay.get(use.dayMs) ?? noRequests()) };
      addCounts(counts, use);
      byDay.set(use.dayMs, counts);
    }
    return totals;
  }

  #today(): number {
    return startOfDay(this.#now());
  }
}
