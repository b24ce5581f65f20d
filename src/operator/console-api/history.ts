import type { Account } from '../../domain/account.ts';
import { DAY_MS, HOUR_MS } from '../../domain/durations.ts';
import {
  addCounts,
  noRequests,
  type OutcomeCounts,
  RECENT_DAYS,
  refusalsOf,
  requestsOf,
  startOfRecentDays,
} from '../../domain/operator/history.ts';
import { PLAN_NAMES } from '../../domain/plan.ts';
import { ConsoleError, type ConsoleRoutes, type ConsoleSources, ROWS_PER_PAGE } from './call.ts';
import type * as Api from './shapes.ts';

/** Caches what takes long to read. Concurrent readers share one read, and its result for a while. */
export function cached<T>(keptMs: number, now: () => number, read: () => Promise<T>) {
  let last: { readonly value: Promise<T>; readonly atMs: number } | undefined;
  return (): Promise<T> => {
    const atMs = now();
    if (last !== undefined && Math.abs(atMs - last.atMs) < keptMs) return last.value;
    const value = read();
    last = { value, atMs };
    // The next reader tries again.
    value.catch(() => {
      last = undefined;
    });
    return value;
  };
}

const TOTALS_KEPT_MS = 60_000;
const REFUSALS_KEPT_MS = 30_000;
const ACCOUNTS_PER_READ = 3_000;
const MOST_REFUSED = 10;

/** A count for each of the last 30 days, by the start of the day, the oldest first. */
export function recentDays<Count>(nowMs: number, none: () => Count): Map<number, Count> {
  const first = startOfRecentDays(nowMs);
  return new Map(Array.from({ length: RECENT_DAYS }, (_, day) => [first + day * DAY_MS, none()]));
}

export type RecentUse = ReturnType<typeof readRecentUse>;

/** The usage of the last 30 days, today included. */
export function readRecentUse({ store, now }: ConsoleSources) {
  const { accounts, history } = store;

  /** The usage since a time, of all accounts or of some, by day and by account. */
  async function readUse(sinceMs: number, accountIds?: readonly number[]) {
    const byDay = new Map<number, OutcomeCounts>();
    const byAccount = new Map<number, OutcomeCounts>();
    for await (const use of history.sumDays(sinceMs, accountIds)) {
      addTo(byDay, use.dayMs, use);
      addTo(byAccount, use.accountId, use);
    }
    return { byDay, byAccount };
  }

  /** The last 30 days, the oldest first. A test clock may have put requests into the future. */
  function listDays(byDay: ReadonlyMap<number, OutcomeCounts>): Api.Days {
    const days = recentDays(now(), noRequests);
    return Array.from(days, ([dayMs, none]) => byDay.get(dayMs) ?? none);
  }

  /** The usage of all accounts. */
  const totals = cached(TOTALS_KEPT_MS, now, () => readUse(startOfRecentDays(now())));

  /** The accounts refused most in this hour and the last. */
  const refused = cached(REFUSALS_KEPT_MS, now, async () => {
    const thisHourMs = now() - (now() % HOUR_MS);
    const { byAccount } = await readUse(thisHourMs - HOUR_MS);
    return [...byAccount]
      .filter(([, use]) => refusalsOf(use) > 0)
      .sort(([, a], [, b]) => refusalsOf(b) - refusalsOf(a))
      .slice(0, MOST_REFUSED);
  });

  return {
    /** The requests of an account on each day. */
    async daysOf(accountId: number): Promise<Api.Days> {
      const { byDay } = await readUse(startOfRecentDays(now()), [accountId]);
      return listDays(byDay);
    },

    /**
     * A page of accounts, by default the busiest first. Reads and sorts in parts, so that a service with very
     * many accounts goes on in between.
     */
    async findAccounts(query: URLSearchParams, offset: number) {
      const { byAccount } = await totals();
      const none = noRequests();
      const useOf = (id: number) => byAccount.get(id) ?? none;
      const matches = parseFilters(query);
      const { sortKeyOf, sign } = parseOrder(query.get('sort') || '-requests');
      let total = 0;
      let first: { readonly id: number; readonly key: string | number }[] = [];
      for (let lastId: number | undefined = 0; lastId !== undefined; ) {
        const read = await accounts.listAccounts(lastId, ACCOUNTS_PER_READ);
        const matching = read
          .filter(matches)
          .map((account) => ({ id: account.id, key: sortKeyOf(account, useOf(account.id)) }));
        total += matching.length;
        // Of equal ones, the oldest stay first.
        first = [...first, ...matching]
          .sort((a, b) => sign * (Number(a.key > b.key) - Number(a.key < b.key)))
          .slice(0, offset + ROWS_PER_PAGE);
        lastId = read.at(-1)?.id;
      }
      const page = first.slice(offset).map(({ id }) => id);
      const found = await accounts.getAccounts(page);
      found.sort((a, b) => page.indexOf(a.id) - page.indexOf(b.id));
      return { total, found, useOf };
    },

    routes: {
      '/api/history': {
        async GET(): Promise<Api.History> {
          const { byDay } = await totals();
          const most = await refused();
          const found = await accounts.getAccounts(most.map(([id]) => id));
          const names = new Map(found.map(({ id, name }) => [id, name]));
          const listed = most.flatMap(([id, use]) => {
            const account = names.get(id);
            return account === undefined ? [] : { account, ...use };
          });
          return { days: listDays(byDay), refused: listed };
        },
      },
    } satisfies ConsoleRoutes,
  };
}

/** A name matches a text that it contains, in letters of either case. */
function parseFilters(query: URLSearchParams): (account: Account) => boolean {
  const text = (query.get('search') ?? '').toLowerCase();
  const plan = query.get('plan');
  const state = query.get('state');
  return (account) =>
    account.name.toLowerCase().includes(text) &&
    (!plan || account.plan === plan) &&
    (!state || (account.suspendedAtMs === null ? 'active' : 'suspended') === state);
}

/** Not by usage of this minute or day: all counts of the limiter would have to be read. */
const SORT_KEYS: Readonly<
  Record<Api.AccountOrder, (account: Account, use: OutcomeCounts) => string | number>
> = {
  name: ({ name }) => name.toLowerCase(),
  plan: ({ plan }) => PLAN_NAMES.indexOf(plan),
  requests: (_, use) => requestsOf(use),
  refused: (_, use) => refusalsOf(use),
  created: ({ createdAtMs }) => createdAtMs,
};

function parseOrder(text: string) {
  const name = text.replace(/^-/, '');
  if (!Object.hasOwn(SORT_KEYS, name)) {
    throw new ConsoleError(400, `Sort accounts by one of ${Object.keys(SORT_KEYS).join(', ')}.`);
  }
  return { sortKeyOf: SORT_KEYS[name as Api.AccountOrder], sign: text === name ? 1 : -1 };
}

function addTo(sums: Map<number, OutcomeCounts>, key: number, counts: OutcomeCounts): void {
  const sum = sums.get(key) ?? noRequests();
  addCounts(sum, counts);
  sums.set(key, sum);
}
