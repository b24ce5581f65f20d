import type * as Api from '../../contract/console-api.ts';
import type { OperatorStore } from '../../domain/backend.ts';
import { DAY_MS, HOUR_MS, startOfDay } from '../../domain/durations.ts';
import type { AccountSummary } from '../../domain/operator/account-store.ts';
import { readBan } from '../../domain/operator/limiter-counts.ts';
import {
  addCounts,
  noRequests,
  type OutcomeCounts,
  RECENT_DAYS,
  refusalsOf,
  requestsOf,
  startOfRecentDays,
} from '../../domain/operator/usage-history.ts';
import { ConsoleError, type ConsoleRoutes, type ConsoleSources, json } from './call.ts';

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

const TOTALS_KEPT_MS = 60_000;
const REFUSALS_KEPT_MS = 30_000;
const SUMMARIES_PER_READ = 10_000;
const PAGE_SIZE = 50;
const MOST_REFUSED = 10;
const MAX_BANNED = 1_000;

/** Usage of all accounts. */
interface Totals {
  readonly byDay: Map<number, OutcomeCounts>;
  /** All requests of an account. */
  readonly byAccount: Map<number, number>;
}

interface AccountQuery {
  readonly search: string;
  /** `active`, `suspended`, `banned` (one of its keys is), or empty for all. */
  readonly state: string;
  /** Empty for all. */
  readonly plan: string;
  readonly offset: number;
}

/** The usage of the last 30 days, today included. */
export class RecentUse {
  readonly #store: OperatorStore;
  readonly #usage: ConsoleSources['usage'];
  readonly #now: () => number;
  /** The usage of all accounts, up to a minute old. */
  readonly totals: () => Promise<Totals>;
  /** The accounts refused in this hour and the last, those refused most first. */
  readonly #refused: () => Promise<(readonly [accountId: number, OutcomeCounts])[]>;
  /** Days that get no more requests. They are read once. */
  #past: { readonly totals: Totals; readonly untilMs: number } | undefined;

  constructor({ store, usage, now }: ConsoleSources) {
    this.#store = store;
    this.#usage = usage;
    this.#now = now;
    this.totals = cached(TOTALS_KEPT_MS, now, () => this.#readTotals());
    this.#refused = cached(REFUSALS_KEPT_MS, now, () => this.#readRefused());
  }

  /** The start of each day, the oldest first. */
  days(): number[] {
    const first = startOfRecentDays(this.#now());
    return Array.from({ length: RECENT_DAYS }, (_, day) => first + day * DAY_MS);
  }

  /** The requests of some accounts on each day. */
  async outcomesByDay(accountIds: readonly number[]): Promise<Map<number, OutcomeCounts[]>> {
    const days = this.days();
    const byAccount = new Map(accountIds.map((id) => [id, days.map(noRequests)]));
    const sinceMs = days[0] ?? 0;
    for await (const use of this.#store.history.sumDays(sinceMs, accountIds)) {
      const counts = byAccount.get(use.accountId)?.[Math.round((use.dayMs - sinceMs) / DAY_MS)];
      if (counts !== undefined) addCounts(counts, use);
    }
    return byAccount;
  }

  async refusedMost(): Promise<Api.RefusedAccount[]> {
    const most = (await this.#refused()).slice(0, MOST_REFUSED);
    const accounts = await this.#store.accounts.getAccounts(most.map(([id]) => id));
    return most.flatMap(([id, counts]) =>
      accounts
        .filter((account) => account.id === id)
        .map(({ name }) => ({
          account: name,
          requests: requestsOf(counts),
          minute: counts.refusedByMinute,
          day: counts.refusedByDay,
          ban: counts.refusedByBan,
        })),
    );
  }

  /** Accounts whose name contains a text in letters of either case, the busiest first. */
  async findBusiest({ offset, ...filter }: AccountQuery) {
    const { accounts } = this.#store;
    const { byAccount } = await this.totals();
    const requests = (id: number) => byAccount.get(id) ?? 0;
    const ids = await this.#findIds(filter);
    ids.sort((a, b) => requests(b) - requests(a) || a - b);
    const page = ids.slice(offset, offset + PAGE_SIZE);
    const found = new Map((await accounts.getAccounts(page)).map((each) => [each.id, each]));
    return { total: ids.length, accounts: page.flatMap((id) => found.get(id) ?? []) };
  }

  /** In parts, so that a service with very many accounts goes on in between. */
  async #findIds({ search, state, plan }: Omit<AccountQuery, 'offset'>) {
    const text = search.toLowerCase();
    const banned = state === 'banned' ? await this.#findBanned() : undefined;
    const matches = (account: AccountSummary) =>
      account.name.toLowerCase().includes(text) &&
      (plan === '' || account.plan === plan) &&
      (banned === undefined || banned.has(account.id)) &&
      (state !== 'active' || account.suspendedAtMs === null) &&
      (state !== 'suspended' || account.suspendedAtMs !== null);
    const ids: number[] = [];
    for (let lastId: number | undefined = 0; lastId !== undefined; ) {
      const accounts = await this.#store.accounts.listSummaries(lastId, SUMMARIES_PER_READ);
      ids.push(...accounts.filter(matches).map(({ id }) => id));
      lastId = accounts.at(-1)?.id;
      await new Promise(setImmediate);
    }
    return ids;
  }

  /** No ban lasts more than an hour, so each one in force has refused in this hour or the last. */
  async #findBanned(): Promise<Set<number>> {
    const refused = (await this.#refused()).filter(([, counts]) => counts.refusedByBan > 0);
    const ids = refused.slice(0, MAX_BANNED).map(([id]) => id);
    const keys = await this.#store.accounts.listKeysOf(ids);
    const bans = keys.map((key) => readBan(this.#usage, key, this.#now()));
    const bannedUntilMs = await Promise.all(bans).catch(() => {
      throw new ConsoleError(503, 'Bans are not known while Redis is away.');
    });
    const banned = keys.filter((_, index) => bannedUntilMs[index] !== null);
    return new Set(banned.map(({ accountId }) => accountId));
  }

  async #readRefused() {
    const nowMs = this.#now();
    const sinceMs = nowMs - (nowMs % HOUR_MS) - HOUR_MS;
    const byAccount = new Map<number, OutcomeCounts>();
    // An account comes twice if a day began in between.
    for await (const use of this.#store.history.sumDays(sinceMs)) {
      const counts = byAccount.get(use.accountId) ?? noRequests();
      addCounts(counts, use);
      byAccount.set(use.accountId, counts);
    }
    return [...byAccount]
      .filter(([, counts]) => refusalsOf(counts) > 0)
      .sort(([, a], [, b]) => refusalsOf(b) - refusalsOf(a));
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
    for await (const use of this.#store.history.sumDays(sinceMs)) {
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
        const days = recentUse.days().map((dayMs) => dayJson(byDay.get(dayMs) ?? noRequests()));
        return json<Api.History>(days);
      },
    },
    '/api/refused': {
      async GET() {
        return json<readonly Api.RefusedAccount[]>(await recentUse.refusedMost());
      },
    },
  };
}

export function dayJson(counts: OutcomeCounts): Api.DayOfUse {
  const { served, clientErrors, serverErrors } = counts;
  return { served, refused: refusalsOf(counts), clientErrors, serverErrors };
}
