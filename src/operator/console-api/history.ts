import type { Account } from '../../domain/account.ts';
import { DAY_MS, HOUR_MS, startOfDay } from '../../domain/durations.ts';
import {
  addCounts,
  noRequests,
  type OutcomeCounts,
  RECENT_DAYS,
  refusalsOf,
  requestsOf,
  startOfRecentDays,
} from '../../domain/operator/history.ts';
import { readBan } from '../../domain/operator/limiter-counts.ts';
import type * as Api from '../console/console-api.ts';
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
const ACCOUNTS_PER_READ = 3_000;
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

export type RecentUse = ReturnType<typeof readRecentUse>;

/** The usage of the last 30 days, today included. */
export function readRecentUse({ store, counts, now }: ConsoleSources) {
  const { accounts, history } = store;
  /** The usage of all accounts, up to a minute old. */
  const totals = cached(TOTALS_KEPT_MS, now, readTotals);
  /** The accounts refused in this hour and the last, those refused most first. */
  const refused = cached(REFUSALS_KEPT_MS, now, readRefused);
  /** Days that get no more requests. They are read once. */
  let past: (Totals & { readonly untilMs: number }) | undefined;

  /** The start of each day, the oldest first. */
  function days(): number[] {
    const first = startOfRecentDays(now());
    return Array.from({ length: RECENT_DAYS }, (_, day) => first + day * DAY_MS);
  }

  /** In parts, so that a service with very many accounts goes on in between. */
  async function findIds({ search, state, plan }: Omit<AccountQuery, 'offset'>) {
    const text = search.toLowerCase();
    const banned = state === 'banned' ? await findBanned() : undefined;
    const matches = (account: Account) =>
      account.name.toLowerCase().includes(text) &&
      (plan === '' || account.plan === plan) &&
      (banned === undefined || banned.has(account.id)) &&
      (state !== 'active' || account.suspendedAtMs === null) &&
      (state !== 'suspended' || account.suspendedAtMs !== null);
    const ids: number[] = [];
    for (let lastId: number | undefined = 0; lastId !== undefined; ) {
      const page = await accounts.listAccounts(lastId, ACCOUNTS_PER_READ);
      ids.push(...page.filter(matches).map(({ id }) => id));
      lastId = page.at(-1)?.id;
      await new Promise(setImmediate);
    }
    return ids;
  }

  /** No ban lasts more than an hour, so each one in force has refused in this hour or the last. */
  async function findBanned(): Promise<Set<number>> {
    const byBan = (await refused()).filter(([, counts]) => counts.refusedByBan > 0);
    const keys = await accounts.listKeysOf(byBan.slice(0, MAX_BANNED).map(([id]) => id));
    const bans = keys.map((key) => readBan(counts, key, now()));
    const bannedUntilMs = await Promise.all(bans).catch(() => {
      throw new ConsoleError(503, 'Bans are not known while Redis is away.');
    });
    const banned = keys.filter((_, index) => bannedUntilMs[index] !== null);
    return new Set(banned.map(({ accountId }) => accountId));
  }

  async function readRefused() {
    const nowMs = now();
    const byAccount = new Map<number, OutcomeCounts>();
    // An account comes twice if a day began in between.
    for await (const use of history.sumDays(nowMs - (nowMs % HOUR_MS) - HOUR_MS)) {
      addTo(byAccount, use.accountId, use);
    }
    return [...byAccount]
      .filter(([, counts]) => refusalsOf(counts) > 0)
      .sort(([, a], [, b]) => refusalsOf(b) - refusalsOf(a));
  }

  async function readTotals(): Promise<Totals> {
    const [firstMs = 0] = days();
    // Instances write batches some seconds later, so yesterday may still change.
    const untilMs = startOfDay(now()) - DAY_MS;
    if (past?.untilMs !== untilMs) {
      const ended = { untilMs, byDay: new Map(), byAccount: new Map() };
      await sum(ended, firstMs, untilMs);
      past = ended;
    }
    const { byDay, byAccount } = past;
    const all = { byDay: new Map(byDay), byAccount: new Map(byAccount) };
    await sum(all, untilMs, Number.POSITIVE_INFINITY);
    return all;
  }

  async function sum({ byDay, byAccount }: Totals, sinceMs: number, untilMs: number) {
    for await (const use of history.sumDays(sinceMs)) {
      if (use.dayMs >= untilMs) continue;
      byAccount.set(use.accountId, (byAccount.get(use.accountId) ?? 0) + requestsOf(use));
      addTo(byDay, use.dayMs, use);
    }
  }

  return {
    totals,
    days,

    /** The requests of some accounts on each day. */
    async outcomesByDay(accountIds: readonly number[]): Promise<Map<number, OutcomeCounts[]>> {
      const starts = days();
      const byAccount = new Map(accountIds.map((id) => [id, starts.map(noRequests)]));
      const sinceMs = starts[0] ?? 0;
      for await (const use of history.sumDays(sinceMs, accountIds)) {
        const counts = byAccount.get(use.accountId)?.[Math.round((use.dayMs - sinceMs) / DAY_MS)];
        if (counts !== undefined) addCounts(counts, use);
      }
      return byAccount;
    },

    async refusedMost(): Promise<Api.RefusedAccount[]> {
      const most = new Map((await refused()).slice(0, MOST_REFUSED));
      const found = await accounts.getAccounts([...most.keys()]);
      const names = new Map(found.map(({ id, name }) => [id, name]));
      return Array.from(most, ([id, counts]) => ({
        account: names.get(id) ?? '',
        requests: requestsOf(counts),
        minute: counts.refusedByMinute,
        day: counts.refusedByDay,
        ban: counts.refusedByBan,
      })).filter(({ account }) => account !== '');
    },

    /** Accounts whose name contains a text in letters of either case, the busiest first. */
    async findBusiest({ offset, ...filter }: AccountQuery) {
      const { byAccount } = await totals();
      const requests = (id: number) => byAccount.get(id) ?? 0;
      const ids = await findIds(filter);
      ids.sort((a, b) => requests(b) - requests(a) || a - b);
      const page = ids.slice(offset, offset + PAGE_SIZE);
      const found = new Map((await accounts.getAccounts(page)).map((each) => [each.id, each]));
      return { total: ids.length, accounts: page.flatMap((id) => found.get(id) ?? []) };
    },
  };
}

function addTo(sums: Map<number, OutcomeCounts>, key: number, counts: OutcomeCounts): void {
  const sum = sums.get(key) ?? noRequests();
  addCounts(sum, counts);
  sums.set(key, sum);
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
