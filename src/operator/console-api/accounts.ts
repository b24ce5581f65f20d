import { type Account, parseAccountName } from '../../domain/account.ts';
import { stateForRequests } from '../../domain/api-key.ts';
import { wholeNumber } from '../../domain/int64.ts';
import { readWindows } from '../../domain/operator/limiter-counts.ts';
import { accountJson } from '../../domain/operator/operator-json.ts';
import { previewAccount } from '../../domain/operator/plan-preview.ts';
import { limitsFor, parsePlan } from '../../domain/plan.ts';
import { findAccounts } from './account-list.ts';
import { type ConsoleRoutes, type ConsoleSources, readBody, text } from './call.ts';
import { daysOf, type ReadTotals } from './history.ts';
import { describeKey, listKeys, note } from './keys.ts';
import type * as Api from './shapes.ts';

/** Throws `OperatorError` for a name that is not allowed. */
const accountName = text.transform(parseAccountName);
/** Limits are only for a plan that has no fixed limits. */
const planBody = { plan: text, perMinute: text.optional(), perDay: text.optional() };

/** Routes that list, show and create accounts. */
export function accountRoutes(sources: ConsoleSources, readTotals: ReadTotals): ConsoleRoutes {
  const { store, now } = sources;
  const { accounts } = store;
  return {
    '/api/accounts': {
      async GET({ query, read }): Promise<Api.PageOfRows<Api.ListedAccount>> {
        const offset = read('cursor', wholeNumber) ?? 0;
        const { total, found } = await findAccounts(accounts, readTotals, query, offset);
        const keys = await accounts.listKeysOf(found.map(({ account }) => account.id));
        // Every key here costs a question to Redis. Keys that are refused for another reason are left out.
        const active = keys.filter(
          (key) => stateForRequests(key, now() + key.clockOffsetMs) === 'active',
        );
        const described = await Promise.all(active.map((key) => describeKey(sources, key)));
        const rows = await Promise.all(
          found.map(async ({ account, counts }) => ({
            ...(await describeAccount(sources, account)),
            ...counts,
            bannedKeys: countBanned(described.filter((key) => key.account === account.name)),
          })),
        );
        const next = offset + rows.length;
        return { rows, next: next < total ? next : null, total };
      },
      async POST({ request }): Promise<Api.AccountFacts> {
        const { name, ...wanted } = await readBody(request, { name: accountName, ...planBody });
        const creation = { name, ...planOf(wanted), nowMs: now() };
        return accountJson(await accounts.createAccount(creation));
      },
    },
    '/api/accounts/:name': {
      async GET({ name }): Promise<Api.AccountAndKeys> {
        const account = await accounts.getAccount(name);
        return {
          account: await describeAccount(sources, account),
          days: await daysOf(sources, account.id),
          keys: await listKeys(sources, account),
        };
      },
    },
  };
}

/** Routes that change an account. */
export function accountChangeRoutes({
  store,
  now,
  onDeletionFailed,
}: ConsoleSources): ConsoleRoutes {
  const { accounts, history } = store;
  return {
    '/api/accounts/:name/plan': {
      async POST({ request, name }) {
        const { plan, limits } = planOf(await readBody(request, planBody));
        await accounts.setPlan(name, plan, limits);
      },
    },
    '/api/accounts/:name/plan-preview': {
      async GET({ query, name }): Promise<Api.PlanPreview> {
        const { limits } = planOf(Object.fromEntries(query));
        const { id } = await accounts.getAccount(name);
        return previewAccount(history, id, limits, now());
      },
    },
    '/api/accounts/:name/suspend': {
      async POST({ request, name }) {
        const { reason } = await readBody(request, { reason: note.optional() });
        await accounts.suspendAccount(name, { reason: reason || undefined, nowMs: now() });
      },
    },
    '/api/accounts/:name/resume': {
      async POST({ name }) {
        await accounts.resumeAccount(name);
      },
    },
    '/api/accounts/:name/rename': {
      async POST({ request, name }): Promise<Api.AccountFacts> {
        const { newName } = await readBody(request, { newName: accountName });
        return accountJson(await accounts.renameAccount(name, newName));
      },
    },
    '/api/accounts/:name/remove': {
      // The counts of the account stay in the limiter, where they expire within three days.
      async POST({ name }) {
        await accounts.removeAccount(name, onDeletionFailed);
      },
    },
  };
}

async function describeAccount(
  { counts, now }: ConsoleSources,
  account: Account,
): Promise<Api.AccountView> {
  const usage = await readWindows(counts, account, now()).catch(() => null);
  return { ...accountJson(account), usage };
}

/** Null if the ban of any key is unknown. */
function countBanned(keys: readonly Pick<Api.Key, 'state'>[]): number | null {
  if (keys.some(({ state }) => state === null)) return null;
  return keys.filter(({ state }) => state === 'banned').length;
}

type GivenPlan = Readonly<Partial<Record<keyof typeof planBody, string | undefined>>>;

/** Throws `OperatorError` for a plan or limits that are not allowed. */
function planOf({ plan: name = '', perMinute, perDay }: GivenPlan) {
  const plan = parsePlan(name);
  const limit = (given: string | undefined) =>
    given ? (wholeNumber(given) ?? Number.NaN) : undefined;
  return { plan, limits: limitsFor(plan, { perMinute: limit(perMinute), perDay: limit(perDay) }) };
}
