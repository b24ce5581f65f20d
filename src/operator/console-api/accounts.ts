import { z } from 'zod';
import { type Account, parseAccountName, parseNote } from '../../domain/account.ts';
import { KEY_SCOPES, renewedExpiry, stateForRequests } from '../../domain/api-key.ts';
import { parseId, wholeNumber } from '../../domain/int64.ts';
import { type ListedKey, unknownKey } from '../../domain/operator/account-store.ts';
import { readBan, readWindows } from '../../domain/operator/limiter-counts.ts';
import { accountJson, keyJson } from '../../domain/operator/operator-json.ts';
import { previewAccount } from '../../domain/operator/plan-preview.ts';
import { limitsFor, parsePlan } from '../../domain/plan.ts';
import { formatTimeOrNull, parseDuration, parseExpiry } from '../../domain/time-text.ts';
import { type ConsoleRoutes, type ConsoleSources, readBody, text } from './call.ts';
import type { RecentUse } from './history.ts';
import type * as Api from './shapes.ts';

// Each throws `OperatorError` for a text that is not allowed.
const accountName = text.transform(parseAccountName);
const note = text.transform(parseNote);
/** A plan with fixed limits has no others. */
const planBody = { plan: text, perMinute: text.optional(), perDay: text.optional() };

export function accountRoutes(
  { store, counts, now, newSecret, onDeletionFailed }: ConsoleSources,
  recentUse: RecentUse,
): ConsoleRoutes {
  const { accounts, history } = store;
  const expiry = text.transform((given) => parseExpiry(given, now()));

  async function describe(account: Account): Promise<Api.AccountView> {
    const usage = await readWindows(counts, account, now()).catch(() => null);
    return { ...accountJson(account), usage };
  }

  async function describeKey(key: ListedKey) {
    const bannedUntilMs = await readBan(counts, key, now()).catch(() => undefined);
    return keyJson(key, bannedUntilMs, now() + key.clockOffsetMs);
  }

  async function describeKeys(account: Account): Promise<Api.Key[]> {
    const keys = await accounts.listKeys(account.name);
    const lastUses = await history.lastUses(account.id);
    return Promise.all(
      keys.map(async (key) => ({
        ...(await describeKey(key)),
        lastUsedAt: formatTimeOrNull(lastUses.get(key.id) ?? null),
        successorId: key.successorId,
        renewedUntil: formatTimeOrNull(renewedExpiry(key, now())),
      })),
    );
  }

  return {
    '/api/accounts': {
      async GET({ query, read }): Promise<Api.PageOfRows<Api.ListedAccount>> {
        const offset = read('cursor', wholeNumber) ?? 0;
        const { total, found, useOf } = await recentUse.findAccounts(query, offset);
        const keys = await accounts.listKeysOf(found.map(({ id }) => id));
        // For each, Redis is asked. Others are refused anyway.
        const active = keys.filter(
          (key) => stateForRequests(key, now() + key.clockOffsetMs) === 'active',
        );
        const described = await Promise.all(active.map(describeKey));
        const rows = await Promise.all(
          found.map(async (account) => ({
            ...(await describe(account)),
            ...useOf(account.id),
            bannedKeys: countBanned(described.filter((key) => key.account === account.name)),
          })),
        );
        const next = offset + rows.length;
        return { rows, next: next < total ? next : null, total };
      },
      async POST({ request }): Promise<Api.AccountFacts> {
        const { name, ...wanted } = await readBody(request, { name: accountName, ...planBody });
        const account = await accounts.createAccount({
          name,
          ...planOf(wanted),
          nowMs: now(),
        });
        return accountJson(account);
      },
    },
    '/api/accounts/:name': {
      async GET({ name }): Promise<Api.AccountAndKeys> {
        const account = await accounts.getAccount(name);
        return {
          account: await describe(account),
          days: await recentUse.daysOf(account.id),
          keys: await describeKeys(account),
        };
      },
    },
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
      // Its counts expire within three days.
      async POST({ name }) {
        await accounts.removeAccount(name, onDeletionFailed);
      },
    },
    '/api/accounts/:name/keys': {
      async POST({ request, name }): Promise<Api.CreatedKey> {
        const { label, expires, scope } = await readBody(request, {
          label: note.default(''),
          expires: expiry,
          scope: z.enum(KEY_SCOPES, { error: 'must be all or read' }).default('all'),
        });
        const secret = newSecret();
        const { id } = await accounts.createKey({
          accountName: name,
          label,
          secret,
          expiresAtMs: expires,
          nowMs: now(),
          scope,
        });
        return { id, secret };
      },
    },
    '/api/keys/find': {
      // The secret is in the body: addresses end up in the logs of proxies.
      async POST({ request }): Promise<Api.KeyOwner> {
        const { secret } = await readBody(request, { secret: text });
        const { id, accountName } = await accounts.findKey(secret);
        return { id, account: accountName };
      },
    },
    '/api/keys/:id/update': {
      async POST({ request, id }) {
        const given = { label: note.optional(), expires: expiry.optional() };
        const { label, expires } = await readBody(request, given);
        await accounts.updateKey(keyId(id), { label, expiresAtMs: expires });
      },
    },
    '/api/keys/:id/rotate': {
      async POST({ request, id }): Promise<Api.CreatedKey> {
        const { overlap, expires } = await readBody(request, { overlap: text, expires: expiry });
        const secret = newSecret();
        const { successor } = await accounts.rotateKey(keyId(id), {
          secret,
          overlapMs: parseDuration(overlap),
          expiresAtMs: expires,
          nowMs: now(),
        });
        return { id: successor.id, secret };
      },
    },
    '/api/keys/:id/revoke': {
      async POST({ id }) {
        await accounts.revokeKey(keyId(id), now());
      },
    },
    '/api/keys/:id/unban': {
      async POST({ id }) {
        await accounts.unbanKey(keyId(id), now());
      },
    },
  };
}

/** Null if a ban may not be known. */
function countBanned(keys: readonly Pick<Api.Key, 'state'>[]): number | null {
  if (keys.some(({ state }) => state === null)) return null;
  return keys.filter(({ state }) => state === 'banned').length;
}

function keyId(given: string): number {
  const id = parseId(given);
  if (id === undefined) throw unknownKey(given);
  return id;
}

type GivenPlan = Readonly<Partial<Record<keyof typeof planBody, string | undefined>>>;

/** Throws `OperatorError` for a plan or limits that are not allowed. */
function planOf({ plan: name = '', perMinute, perDay }: GivenPlan) {
  const plan = parsePlan(name);
  const limit = (given: string | undefined) =>
    given ? (wholeNumber(given) ?? Number.NaN) : undefined;
  return { plan, limits: limitsFor(plan, { perMinute: limit(perMinute), perDay: limit(perDay) }) };
}
