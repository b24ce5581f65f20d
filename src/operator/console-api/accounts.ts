import { z } from 'zod';
import type * as Api from '../../contract/console-api.ts';
import { type Account, parseAccountName, parseReason } from '../../domain/account.ts';
import { parseLabel } from '../../domain/api-key.ts';
import type { OperatorStore } from '../../domain/backend.ts';
import { parseId } from '../../domain/int64.ts';
import { type ListedKey, unknownKey } from '../../domain/operator/account-store.ts';
import { readBan, readWindows } from '../../domain/operator/limiter-counts.ts';
import { accountJson, keyJson, previewJson } from '../../domain/operator/operator-json.ts';
import { previewAccount } from '../../domain/operator/plan-preview.ts';
import { type Limits, limitsFor, PLANS, type Plan, parsePlan } from '../../domain/plan.ts';
import {
  formatTime,
  formatTimeOrNull,
  parseDuration,
  parseExpiry,
} from '../../domain/time-text.ts';
import type { UsageReader } from '../../domain/usage-journal.ts';
import {
  ConsoleError,
  type ConsoleRoutes,
  json,
  queryNumber,
  queryWord,
  readBody,
  text,
} from './call.ts';
import type { RecentUse } from './usage.ts';

const limit = z.number({ error: 'must be a number' }).nullish();
const planBody = { plan: text, perMinute: limit, perDay: limit };

interface AccountParts {
  readonly store: OperatorStore;
  /** The counts of the limiter. The console does without them while Redis is away. */
  readonly usage: UsageReader;
  readonly recentUse: RecentUse;
  readonly now: () => number;
  /** A new secret of a key. */
  readonly newSecret: () => string;
}

export function accountRoutes(parts: AccountParts): ConsoleRoutes {
  const { store, usage, recentUse, now, newSecret } = parts;
  const { accounts, history } = store;

  async function describe(shown: readonly Account[]): Promise<Api.Account[]> {
    const byDay = await recentUse.requestsByDay(shown.map(({ id }) => id));
    return Promise.all(
      shown.map(async (account) => ({
        ...accountJson(account),
        usage: await readWindows(usage, account, now()).catch(() => null),
        days: byDay.get(account.id) ?? [],
      })),
    );
  }

  async function describeOne(account: Account): Promise<Api.Account> {
    const [shown] = await describe([account]);
    return shown as Api.Account;
  }

  async function respond(account: Account, status = 200): Promise<Response> {
    return json<Api.Account>(await describeOne(account), status);
  }

  async function describeKey(
    key: ListedKey,
    lastUses: ReadonlyMap<number, number>,
  ): Promise<Api.Key> {
    const bannedUntilMs = await readBan(usage, key, now()).catch(() => undefined);
    return {
      ...keyJson(key, bannedUntilMs, now() + key.clockOffsetMs),
      lastUsedAt: formatTimeOrNull(lastUses.get(key.id) ?? null),
      successorId: key.successorId,
    };
  }

  async function describeOneKey(key: ListedKey): Promise<Api.Key> {
    return describeKey(key, await history.lastUses(key.accountId));
  }

  return {
    '/api/accounts': {
      async GET({ query }) {
        const sort = queryWord(query, 'sort', ['name', 'plan', 'created', 'requests']);
        const page = {
          search: query.get('search') || undefined,
          descending: queryWord(query, 'order', ['asc', 'desc']) === 'desc',
          offset: queryNumber(query, 'offset', { from: 0, to: 100_000_000, fallback: 0 }),
          limit: queryNumber(query, 'limit', { from: 1, to: 200, fallback: 50 }),
        };
        const found =
          sort === 'requests'
            ? await recentUse.findBusiest(page)
            : await accounts.findAccounts({ sort, ...page });
        const shown = await describe(found.accounts);
        return json<Api.AccountList>({ total: found.total, accounts: shown });
      },
      async POST({ request }) {
        const { name, ...wanted } = await readBody(request, { name: text, ...planBody });
        const { plan, limits } = planOf(wanted);
        const nowMs = now();
        const newAccount = { name: parseAccountName(name), plan, limits, nowMs };
        return respond(await accounts.createAccount(newAccount), 201);
      },
    },
    '/api/accounts/:name': {
      async GET({ params: { name = '' } }) {
        const account = await describeOne(await accounts.getAccount(name));
        const listed = await accounts.listKeys(name);
        const lastUses = await history.lastUses(account.id);
        const keys = await Promise.all(listed.map((key) => describeKey(key, lastUses)));
        return json<Api.AccountAndKeys>({ account, keys });
      },
    },
    '/api/accounts/:name/plan': {
      async PUT({ request, params: { name = '' } }) {
        const { plan, limits } = planOf(await readBody(request, planBody));
        return respond(await accounts.setPlan(name, plan, limits));
      },
    },
    '/api/accounts/:name/plan-preview': {
      async GET({ query, params: { name = '' } }) {
        const number = (field: string) => (query.get(field) ? Number(query.get(field)) : undefined);
        const { limits } = planOf({
          plan: query.get('plan') ?? '',
          perMinute: number('perMinute'),
          perDay: number('perDay'),
        });
        const { id } = await accounts.getAccount(name);
        const [sinceMs = 0] = recentUse.days();
        const preview = await previewAccount(history, id, limits, sinceMs);
        return json<Api.PlanPreview>({ since: formatTime(sinceMs), ...previewJson(preview) });
      },
    },
    '/api/accounts/:name/suspend': {
      async POST({ request, params: { name = '' } }) {
        const { reason } = await readBody(request, { reason: text });
        const suspension = { reason: parseReason(reason) || undefined, nowMs: now() };
        return respond(await accounts.suspendAccount(name, suspension));
      },
    },
    '/api/accounts/:name/resume': {
      async POST({ params: { name = '' } }) {
        return respond(await accounts.resumeAccount(name));
      },
    },
    '/api/accounts/:name/keys': {
      async POST({ request, params: { name = '' } }) {
        const body = { label: text, expires: text.nullable() };
        const { label, expires } = await readBody(request, body);
        const nowMs = now();
        const secret = newSecret();
        const key = await accounts.createKey({
          accountName: name,
          label: parseLabel(label),
          secret,
          expiresAtMs: expires === null ? null : parseExpiry(expires, nowMs),
          nowMs,
        });
        return json<Api.NewKey>({ key: await describeOneKey(key), secret }, 201);
      },
    },
    '/api/keys/:id/rotate': {
      async POST({ request, params: { id } }) {
        const { overlap } = await readBody(request, { overlap: text });
        const secret = newSecret();
        const { successor } = await accounts.rotateKey(keyId(id), {
          secret,
          overlapMs: parseDuration(overlap),
          nowMs: now(),
        });
        return json<Api.NewKey>({ key: await describeOneKey(successor), secret });
      },
    },
    '/api/keys/:id/revoke': {
      async POST({ params: { id } }) {
        return json<Api.Key>(await describeOneKey(await accounts.revokeKey(keyId(id), now())));
      },
    },
    '/api/keys/:id/unban': {
      async POST({ params: { id } }) {
        return json<Api.Key>(await describeOneKey(await accounts.unbanKey(keyId(id), now())));
      },
    },
  };
}

function keyId(given = ''): number {
  const id = parseId(given);
  if (id === undefined) throw unknownKey(given);
  return id;
}

interface WantedPlan {
  readonly plan: string;
  readonly perMinute?: number | null | undefined;
  readonly perDay?: number | null | undefined;
}

/** Throws `OperatorError` or `ConsoleError` for a plan or limits that are not allowed. */
function planOf({ plan: name, perMinute, perDay }: WantedPlan): { plan: Plan; limits: Limits } {
  const plan = parsePlan(name);
  const { title, limits } = PLANS[plan];
  const hasMinute = typeof perMinute === 'number';
  const hasDay = typeof perDay === 'number';
  if (limits === undefined && !(hasMinute && hasDay)) {
    throw new ConsoleError(400, `The ${title} plan needs a limit per minute and one per day.`);
  }
  const custom = { ...(hasMinute && { perMinute }), ...(hasDay && { perDay }) };
  return { plan, limits: limitsFor(plan, custom) };
}
