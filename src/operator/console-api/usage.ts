import type * as Api from '../../contract/console-api.ts';
import type { OperatorStore } from '../../domain/backend.ts';
import { DAY_MS, startOfDay } from '../../domain/durations.ts';
import {
  addCounts,
  noRequests,
  type OutcomeCounts,
  refusalsOf,
  requestsOf,
} from '../../domain/operator/usage-history.ts';
import { type ConsoleRoutes, type ConsoleSources, json } from './call.ts';

/** Caches what takes long to read. Concurrent readers share one read, and its result for a while. */
export function cached<T>(keptMs: number, now: () => number, read: () => Promise<T>) {
  let last: { readonly value: Promise<T>; readonly atMs: number } | undefined;
  return (): Promise<T> => {
    const atMs = now();
    if (last !== undefined && Math.abs(atMs - last.atMs) < keptMs) return last.value;
    const current = { value: read(), atMs };
    last = current;
    // The next reader tries again.
    current.value.catch(() => {
      if (last === current) last = undefined;
    });
    return current.value;
  };
}

const DAYS = 30;
const TOTALS_KEPT_MS = 60_000;
const NAMES_PER_READ = 10_000;

/** Usage of all accounts. */
interface Totals {
  readonly byDay: Map<number, OutcomeCounts>;
  /** All requests of an account. */
  readonly byAccount: Map<number, number>;
}

interface AccountQuery {
  readonly search: string;
  readonly offset: number;
  readonly limit: number;
}

/** The usage of the last 30 days, today included. */
export class RecentUse {
  readonly #store: OperatorStore;
  readonly #now: () => number;
  /** The usage of all accounts, up to a minute old. */
  readonly totals: () => Promise<Totals>;
  /** Days that get no more requests. They are read once. */
  #past: { readonly totals: Totals; readonly untilMs: number } | undefined;

  constructor({ store, now }: ConsoleSources) {
    this.#store = store;
    this.#now = now;
    this.totals = cached(TOTALS_KEPT_MS, now, () => this.#readTotals());
  }

  /** The start of each day, the oldest first. */
  days(): number[] {
    const first = startOfDay(this.#now()) - (DAYS - 1) * DAY_MS;
    return Array.from({ length: DAYS }, (_, day) => first + day * DAY_MS);
  }

  /** The requests of some accounts on each day. */
  async requestsByDay(accountIds: readonly number[]): Promise<Map<number, number[]>> {
    const days = this.days();
    const byAccount = new Map(accountIds.map((id) => [id, days.map(() => 0)]));
    const sinceMs = days[0] ?? 0;
    for await (const use of this.#store.history.sumDays({ accountIds, sinceMs })) {
      const requests = byAccount.get(use.accountId);
      const day = Math.round((use.dayMs - sinceMs) / DAY_MS);
      if (requests?.[day] !== undefined) requests[day] += requestsOf(use);
    }
    return byAccount;
  }

  /** Accounts whose name contains a text in letters of either case, the busiest first. */
  async findBusiest({ search, offset, limit }: AccountQuery) {
    const { accounts } = this.#store;
    const { byAccount } = await this.totals();
    const requests = (id: number) => byAccount.get(id) ?? 0;
    const ids = await this.#findIds(search.toLowerCase());
    ids.sort((a, b) => requests(b) - requests(a) || a - b);
    const page = ids.slice(offset, offset + limit);
    const found = new Map((await accounts.getAccounts(page)).map((each) => [each.id, each]));
    return { total: ids.length, accounts: page.flatMap((id) => found.get(id) ?? []) };
  }

  /** In parts, so that a service with very many accounts goes on in between. */
  async #findIds(search: string): Promise<number[]> {
    const ids: number[] = [];
    for (let lastId: number | undefined = 0; lastId !== undefined; ) {
      const names = await this.#store.accounts.listNames(lastId, NAMES_PER_READ);
      const found = names.filter(({ name }) => name.toLowerCase().includes(search));
      ids.push(...found.map(({ id }) => id));
      lastId = names.at(-1)?.id;
      await new Promise(setImmediate);
    }
    return ids;
  }

  async #readTotals(): Promise<Totals> {
    const [firstMs = 0] = this.days();
    // Instances write batches some seconds later, so yesterday may still change.
    const untilMs = startOfDay(this.#now()) - DAY_MS;
    if (this.#past?.untilMs !== untilMs) {
      const totals = { byDay: new Map(), byAccount: new Map() };
      await this.#sum(totals, firstMs, untilMs);
      this.#past = { totals, untilMs };
    }
    const { byDay, byAccount } = this.#past.totals;
    const totals = { byDay: new Map(byDay), byAccount: new Map(byAccount) };
    await this.#sum(totals, untilMs, Number.POSITIVE_INFINITY);
    return totals;
  }

  async #sum({ byDay, byAccount }: Totals, sinceMs: number, untilMs: number): Promise<void> {
    for await (const use of this.#store.history.sumDays({ sinceMs })) {
      if (use.dayMs >= untilMs) continue;
      byAccount.set(use.accountId, (byAccount.get(use.accountId) ?? 0) + requestsOf(use));
      const counts = byDay.get(use.dayMs) ?? noRequests();
      addCounts(counts, use);
      byDay.set(use.dayMs, counts);
    }
  }
}

export function historyRoutes(recentUse: RecentUse): ConsoleRoutes {
  return {
    '/api/history': {
      async GET() {
        const { byDay } = await recentUse.totals();
        const days = recentUse.days().map((dayMs) => {
          const counts = byDay.get(dayMs) ?? noRequests();
          const { served, clientErrors, serverErrors } = counts;
          const refused = refusalsOf(counts);
          return { served, refused, clientErrors, serverErrors };
        });
        return json<Api.History>(days);
      },
    },
  };
}
