import type { ListedKey } from '../domain/account-store.ts';
import { unknownKey } from '../domain/account-store.ts';
import { parseLabel } from '../domain/api-key.ts';
import type { OperatorStore } from '../domain/backend.ts';
import { hashSecret } from '../domain/key-secret.ts';
import { parseDuration, parseExpiry } from '../domain/time-text.ts';
import { keyJson } from './console-account-json.ts';
import { readBody, text } from './console-body.ts';
import { type ConsoleRoutes, json } from './console-route.ts';
import type { LimiterCounts } from './limiter-counts.ts';

const MAX_ID = 2 ** 31 - 1;

export interface KeyParts {
  readonly store: OperatorStore;
  readonly counts: LimiterCounts;
  readonly now: () => number;
  readonly newSecret: () => string;
}

export function keyRoutes({ store, counts, now, newSecret }: KeyParts): ConsoleRoutes {
  const { accounts } = store;
  const describe = (key: ListedKey) => describeKeys(store, counts, [key], now());
  return {
    '/api/accounts/:name/keys': {
      async POST({ request, params: { name = '' } }) {
        const { label, expires } = await readBody(request, {
          label: text,
          expires: text.nullable(),
        });
        const nowMs = now();
        const secret = newSecret();
        const key = await accounts.createKey({
          accountName: name,
          label: parseLabel(label),
          hash: hashSecret(secret),
          expiresAtMs: expires === null ? null : parseExpiry(expires, nowMs),
          nowMs,
        });
        const [shown] = await describe(key);
        return json({ key: shown, secret }, 201);
      },
    },
    '/api/keys/:id/rotate': {
      async POST({ request, params }) {
        const { overlap } = await readBody(request, { overlap: text });
        const secret = newSecret();
        const { old, successor } = await accounts.rotateKey(keyId(params['id']), {
          hash: hashSecret(secret),
          overlapMs: parseDuration(overlap),
          nowMs: now(),
        });
        const [oldJson, successorJson] = await describeKeys(store, counts, [old, successor], now());
        return json({ old: oldJson, successor: successorJson, secret });
      },
    },
    '/api/keys/:id/revoke': {
      async POST({ params }) {
        const [shown] = await describe(await accounts.revokeKey(keyId(params['id']), now()));
        return json(shown);
      },
    },
    '/api/keys/:id/unban': {
      async POST({ params }) {
        const [shown] = await describe(await accounts.unbanKey(keyId(params['id']), now()));
        return json(shown);
      },
    },
  };
}

/** All keys must be of one account. */
export async function describeKeys(
  { history }: OperatorStore,
  counts: LimiterCounts,
  keys: readonly ListedKey[],
  nowMs: number,
) {
  const lastUses = await history.lastUses(keys[0]?.accountId ?? 0);
  return Promise.all(
    keys.map(async (key) =>
      keyJson(key, {
        bannedUntilMs: await counts.bannedUntilMs(key),
        lastUsedAtMs: lastUses.get(key.id),
        nowMs,
      }),
    ),
  );
}

function keyId(given = ''): number {
  const id = /^\d{1,10}$/.test(given) ? Number(given) : Number.NaN;
  if (id <= MAX_ID) return id;
  throw unknownKey(given);
}
