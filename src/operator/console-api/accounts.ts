import { z } from 'zod';
import { type Account, parseAccountName, parseNote } from '../../domain/account.ts';
import { renewedExpiry } from '../../domain/api-key.ts';
import { MAX_ID, parseId } from '../../domain/int64.ts';
import { unknownKey } from '../../domain/operator/account-store.ts';
import { readBan, readWindows } from '../../domain/operator/limiter-counts.ts';
import { accountJson, keyJson } from '../../domain/operator/operator-json.ts';
import { previewAccount } from '../../domain/operator/plan-preview.ts';
import { limitsFor, parsePlan } from '../../domain/plan.ts';
import { formatTimeOrNull, parseDuration, parseExpiry } from '../../domain/time-text.ts';
import type * as Api from '../console/console-api.ts';
import {
  type ConsoleRoutes,
  type ConsoleSources,
  json,
  queryNumber,
  readBody,
  text,
} from './call.ts';
import { dayJson, type RecentUse } from './history.ts';

const limit = z.number({ error: 'must be a number' }).optional();
const planBody = { plan: text, perMinute: limit, perDay: limit };

export function accountRoutes(
  { store, counts, now, newSecret }: ConsoleSources,
  recentUse: RecentUse,
): ConsoleRoutes {
  const { accounts, history } = store;

  async function describe(shown: readonly Account[]): Promise<Api.Account[]> {
    const byDay = await recentUse.outcomesByDay(shown.map(({ id }) => id));
    return Promise.all(
      shown.map(async (account) => ({
        ...accountJson(account),
        usage: await readWindows(counts, account, now()).catch(() => null),
        days: (byDay.get(account.id) ?? []).map(dayJson),
      })),
    );
  }

  async function describeKeys(account: Account): Promise<Api.Key[]> {
    const keys = await accounts.listKeys(account.name);
    const lastUses = await history.lastUses(account.id);
    return Promise.all(
      keys.map(async (key) => {
        const bannedUntilMs = await readBan(counts, key, now()).catch(() => undefined);
        return {
          ...keyJson(key, bannedUntilMs, now() + key.clockOffsetMs),
          lastUsedAt: formatTimeOrNull(lastUses.get(key.id) ?? null),
          successorId: key.successorId,
          renewedUntil: formatTimeOrNull(renewedExpiry(key, now())),
        };
      }),
    );
  }

  return {
    '/api/accounts': {
      async GET({ query }) {
        const found = await recentUse.findBusiest({
          search: query.get('search') ?? '',
          state: query.get('state') ?? '',
          plan: query.get('plan') ?? '',
          offset: queryNumber(query, 'offset', MAX_ID),
        });
        const shown = await describe(found.accounts);
        return json<Api.AccountList>({ total: found.total, accounts: shown });
      },
      async POST({ request }) {
        const { name, ...wanted } = await readBody(request, { name: text, ...planBody });
        const { plan, limits } = planOf(wanted);
        const account = await accounts.createAccount({
          name: parseAccountName(name),
          plan,
          limits,
          nowMs: now(),
        });
        return json<Api.NewAccount>(accountJson(account), 201);
      },
    },
    '/api/accounts/:name': {
      async GET({ params: { name = '' } }) {
        const found = await accounts.getAccount(name);
        const [account] = await describe([found]);
        return json<Api.AccountAndKeys>({
          account: account as Api.Account,
          keys: await describeKeys(found),
        });
      },
    },
    '/api/accounts/:name/plan': {
      async PUT({ request, params: { name = '' } }) {
        const { plan, limits } = planOf(await readBody(request, planBody));
        await accounts.setPlan(name, plan, limits);
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
        return json<Api.PlanPreview>(await previewAccount(history, id, limits, now()));
      },
    },
    '/api/accounts/:name/suspend': {
      async POST({ request, params: { name = '' } }) {
        const { reason } = await readBody(request, { reason: text });
        const suspension = { reason: parseNote(reason) || undefined, nowMs: now() };
        await accounts.suspendAccount(name, suspension);
      },
    },
    '/api/accounts/:name/resume': {
      async POST({ params: { name = '' } }) {
        await accounts.resumeAccount(name);
      },
    },
    '/api/accounts/:name/keys': {
      async POST({ request, params: { name = '' } }) {
        const { label, expires } = await readBody(request, { label: text, expires: text });
        const secret = newSecret();
        const { id } = await accounts.createKey({
          accountName: name,
          label: parseNote(label),
          secret,
          expiresAtMs: parseExpiry(expires, now()),
          nowMs: now(),
        });
        return json<Api.NewKey>({ id, secret }, 201);
      },
    },
    '/api/keys/find': {
      // The secret is in the body: addresses end up in the logs of proxies.
      async POST({ request }) {
        const { secret } = await readBody(request, { secret: text });
        const { id, accountName } = await accounts.findKey(secret);
        return json<Api.FoundKey>({ id, account: accountName });
      },
    },
    '/api/keys/:id/rotate': {
      async POST({ request, params: { id } }) {
        const { overlap, expires } = await readBody(request, { overlap: text, expires: text });
        const secret = newSecret();
        const { successor } = await accounts.rotateKey(keyId(id), {
          secret,
          overlapMs: parseDuration(overlap),
          expiresAtMs: parseExpiry(expires, now()),
          nowMs: now(),
        });
        return json<Api.NewKey>({ id: successor.id, secret }, 201);
      },
    },
    '/api/keys/:id/revoke': {
      async POST({ params: { id } }) {
        await accounts.revokeKey(keyId(id), now());
      },
    },
    '/api/keys/:id/unban': {
      async POST({ params: { id } }) {
        await accounts.unbanKey(keyId(id), now());
      },
    },
  };
}

function keyId(given = ''): number {
  const id = parseId(given);
  if (id === undefined) throw unknownKey(given);
  return id;
}

/** Throws `OperatorError` for a plan or limits that are not allowed. */
function planOf({ plan: name, ...custom }: z.infer<z.ZodObject<typeof planBody>>) {
  const plan = parsePlan(name);
  return { plan, limits: limitsFor(plan, custom) };
}
