import type { Account } from '../../domain/account.ts';
import type { AccountStore } from '../../domain/operator/account-store.ts';
import {
  noRequests,
  type OutcomeCounts,
  refusalsOf,
  requestsOf,
} from '../../domain/operator/history.ts';
import { PLAN_NAMES } from '../../domain/plan.ts';
import { ConsoleError, ROWS_PER_PAGE } from './call.ts';
import type { ReadTotals } from './history.ts';
import type * as Api from './shapes.ts';

const ACCOUNTS_PER_READ = 3_000;

/**
 * A page of accounts with their requests of the last 30 days, by default the busiest first. Accounts are read and
 * sorted in parts, so that a service with very many accounts keeps responding to requests in between.
 */
export async function findAccounts(
  accounts: AccountStore,
  readTotals: ReadTotals,
  query: URLSearchParams,
  offset: number,
) {
  const { byAccount } = await readTotals();
  const none = noRequests();
  const countsOf = (id: number) => byAccount.get(id) ?? none;
  const matches = parseFilters(query);
  const { sortKeyOf, sign } = parseOrder(query.get('sort') || '-requests');
  let total = 0;
  let first: { readonly id: number; readonly key: string | number }[] = [];
  for (let lastId: number | undefined = 0; lastId !== undefined; ) {
    const read = await accounts.listAccounts(lastId, ACCOUNTS_PER_READ);
    const matching = read
      .filter(matches)
      .map((account) => ({ id: account.id, key: sortKeyOf(account, countsOf(account.id)) }));
    total += matching.length;
    // The sort is stable: among accounts with equal keys, the oldest stays first.
    first = [...first, ...matching]
      .sort((a, b) => sign * (Number(a.key > b.key) - Number(a.key < b.key)))
      .slice(0, offset + ROWS_PER_PAGE);
    lastId = read.at(-1)?.id;
  }
  const page = first.slice(offset).map(({ id }) => id);
  const found = await accounts.getAccounts(page);
  found.sort((a, b) => page.indexOf(a.id) - page.indexOf(b.id));
  return { total, found: found.map((account) => ({ account, counts: countsOf(account.id) })) };
}

/** The search finds a text anywhere in a name, and ignores case. */
function parseFilters(query: URLSearchParams): (account: Account) => boolean {
  const text = (query.get('search') ?? '').toLowerCase();
  const plan = query.get('plan');
  const state = query.get('state');
  return (account) =>
    account.name.toLowerCase().includes(text) &&
    (!plan || account.plan === plan) &&
    (!state || (account.suspendedAtMs === null ? 'active' : 'suspended') === state);
}

/** Sorting by the requests of this minute or day is not offered: it would need all counts of the limiter. */
const SORT_KEYS: Readonly<
  Record<Api.AccountOrder, (account: Account, counts: OutcomeCounts) => string | number>
> = {
  name: ({ name }) => name.toLowerCase(),
  plan: ({ plan }) => PLAN_NAMES.indexOf(plan),
  requests: (_, counts) => requestsOf(counts),
  refused: (_, counts) => refusalsOf(counts),
  created: ({ createdAtMs }) => createdAtMs,
};

function parseOrder(text: string) {
  const name = text.replace(/^-/, '');
  if (!Object.hasOwn(SORT_KEYS, name)) {
    throw new ConsoleError(400, `Sort accounts by one of ${Object.keys(SORT_KEYS).join(', ')}.`);
  }
  return { sortKeyOf: SORT_KEYS[name as Api.AccountOrder], sign: text === name ? 1 : -1 };
}
