import { type Account, parseAccountName } from '#domain/account.ts';
import { matchesFilter } from '#domain/operator/account-store.ts';
import {
  noRequests,
  type OutcomeCounts,
  refusalsOf,
  requestsOf,
} from '#domain/operator/history.ts';
import { accountJson, countBans, readBan, readWindows } from '#domain/operator/operator-json.ts';
import { previewAccount } from '#domain/operator/plan-preview.ts';
import { limitsFor, PLAN_NAMES, parsePlan } from '#domain/plan.ts';
import { wholeNumber } from '#formats/int64.ts';
import {
  ConsoleError,
  type ConsoleRoutes,
  type ConsoleSources,
  ROWS_PER_PAGE,
  readBody,
  text,
} from './call.ts';
import { daysOf, type ReadTotals } from './history.ts';
import { describeKeys, note } from './keys.ts';

/** Throws `OperatorError` for a name that is not allowed. */
const accountName = text.transform(parseAccountName);
/** Only a plan without fixed limits has these. `limitsFor` refuses NaN. */
const limit = text.transform((given) => wholeNumber(given) ?? Number.NaN).optional();
const planBody = { plan: text.transform(parsePlan), perMinute: limit, perDay: limit };

export function accountRoutes(sources: ConsoleSources, readTotals: ReadTotals) {
  const {
    store: { accounts, history },
    now,
    onDeletionFailed,
  } = sources;
  return {
    'GET /api/accounts': ({ query, read }) =>
      listAccounts(sources, readTotals, query, read('cursor', wholeNumber)),
    async 'POST /api/accounts'({ request, store }) {
      const body = await readBody(request, { name: accountName, ...planBody });
      const { name, plan, ...limits } = body;
      const creation = { name, plan, limits: limitsFor(plan, limits) };
      return accountJson(await store.accounts.createAccount(creation));
    },
    async 'GET /api/accounts/:name'({ name }) {
      const account = await accounts.getAccount(name);
      return {
        account: await describeAccount(sources, account),
        days: await daysOf(sources, account.id),
        keys: await describeKeys(sources, await accounts.listKeys([account.id])),
      };
    },
    async 'POST /api/accounts/:name/plan'({ request, name, store }) {
      const { plan, ...limits } = await readBody(request, planBody);
      await store.accounts.setPlan(name, plan, limitsFor(plan, limits));
    },
    async 'GET /api/accounts/:name/plan-preview'({ query, read, name }) {
      const limits = limitsFor(parsePlan(query.get('plan') ?? ''), {
        perMinute: read('perMinute', wholeNumber),
        perDay: read('perDay', wholeNumber),
      });
      const { id } = await accounts.getAccount(name);
      return previewAccount(history, id, limits, now());
    },
    async 'POST /api/accounts/:name/suspend'({ request, name, store }) {
      const { reason } = await readBody(request, { reason: note.optional() });
      await store.accounts.suspendAccount(name, reason || undefined);
    },
    async 'POST /api/accounts/:name/resume'({ name, store }) {
      await store.accounts.resumeAccount(name);
    },
    async 'POST /api/accounts/:name/rename'({ request, name, store }) {
      const { newName } = await readBody(request, { newName: accountName });
      return accountJson(await store.accounts.renameAccount(name, newName));
    },
    // The counts of the account stay in the limiter, where they expire within three days.
    async 'POST /api/accounts/:name/remove'({ name, store }) {
      await store.accounts.removeAccount(name);
      accounts.finishRemovals().catch(onDeletionFailed);
    },
  } satisfies ConsoleRoutes;
}

async function listAccounts(
  sources: ConsoleSources,
  readTotals: ReadTotals,
  query: URLSearchParams,
  offset = 0,
) {
  const { accounts } = sources.store;
  const { total, found } = await findAccounts(sources, readTotals, query, offset);
  const keys = await accounts.listKeys(found.map(({ account }) => account.id));
  const rows = await Promise.all(
    found.map(async ({ account, counts }) => {
      const own = keys.filter(({ accountId }) => accountId === account.id);
      const bannedKeys = await countBans(sources.counts, own, sources.now()).catch(() => null);
      return { ...(await describeAccount(sources, account)), ...counts, bannedKeys };
    }),
  );
  const next = offset + rows.length;
  return { rows, next: next < total ? next : null, total };
}

async function describeAccount({ counts, now }: ConsoleSources, account: Account) {
  const usage = await readWindows(counts, account, now()).catch(() => null);
  return { ...accountJson(account), usage };
}

/** The ids of accounts with a key that is banned, or that may be banned because the limiter cannot be reached. */
async function findBannedAccounts({ store, counts, now }: ConsoleSources) {
  const ids = new Set<number>();
  for await (const keys of store.accounts.searchKeys({ filter: 'banned' })) {
    const reads = keys.map(async (key) => {
      const untilMs = await readBan(counts, key, now()).catch(() => undefined);
      if (untilMs !== null) ids.add(key.accountId);
    });
    await Promise.all(reads);
  }
  return ids;
}

const ACCOUNTS_PER_READ = 3_000;

/**
 * A page of accounts with their requests of the last 30 days, by default the busiest first. Accounts are read and
 * sorted in parts, so that a service with very many accounts keeps responding to requests in between.
 */
async function findAccounts(
  sources: ConsoleSources,
  readTotals: ReadTotals,
  query: URLSearchParams,
  offset: number,
) {
  const { byAccount } = await readTotals();
  const filter = Object.fromEntries(query);
  const banned = query.get('state') === 'banned' ? await findBannedAccounts(sources) : undefined;
  const matches = (account: Account) =>
    matchesFilter(account, filter) && (banned?.has(account.id) ?? true);
  const sort = query.get('sort') || '-requests';
  const order = sort.replace(/^-/, '');
  if (!Object.hasOwn(SORT_KEYS, order)) {
    throw new ConsoleError(400, `Sort accounts by one of ${Object.keys(SORT_KEYS).join(', ')}.`);
  }
  const sortKeyOf = SORT_KEYS[order as AccountOrder];
  const sign = sort === order ? 1 : -1;
  let total = 0;
  let first: { account: Account; counts: OutcomeCounts; sortKey: string | number }[] = [];
  for (let lastId: number | undefined = 0; lastId !== undefined; ) {
    const read = await sources.store.accounts.listAccounts(lastId, ACCOUNTS_PER_READ);
    const matching = read.filter(matches).map((account) => {
      const counts = byAccount.get(account.id) ?? noRequests();
      return { account, counts, sortKey: sortKeyOf(account, counts) };
    });
    total += matching.length;
    // The sort is stable: among accounts with equal keys, the oldest stays first.
    first = [...first, ...matching]
      .sort((a, b) => sign * (Number(a.sortKey > b.sortKey) - Number(a.sortKey < b.sortKey)))
      .slice(0, offset + ROWS_PER_PAGE);
    lastId = read.at(-1)?.id;
  }
  return { total, found: first.slice(offset) };
}

/** Sorting by the requests of this minute or day is not offered: it would need all counts of the limiter. */
const SORT_KEYS = {
  name: ({ name }) => name.toLowerCase(),
  plan: ({ plan }) => PLAN_NAMES.indexOf(plan),
  requests: (_, counts) => requestsOf(counts),
  refused: (_, counts) => refusalsOf(counts),
  created: ({ createdAtMs }) => createdAtMs,
} satisfies Record<string, (account: Account, counts: OutcomeCounts) => string | number>;

/** The orders in which the API can return accounts. After a "-", the greatest comes first. */
export type AccountOrder = keyof typeof SORT_KEYS;
