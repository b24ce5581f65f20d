import type * as Api from '../../contract/console-api.ts';
import { parseLabel } from '../../domain/api-key.ts';
import type { OperatorStore } from '../../domain/backend.ts';
import { parseId } from '../../domain/int64.ts';
import { type ListedKey, unknownKey } from '../../domain/operator/account-store.ts';
import { keyJson } from '../../domain/operator/operator-json.ts';
import { formatTimeOrNull, parseDuration, parseExpiry } from '../../domain/time-text.ts';
import { readBody, text } from './body.ts';
import type { LimiterCounts } from './limiter-counts.ts';
import { type ConsoleRoutes, json } from './route.ts';

interface KeyParts {
  readonly store: OperatorStore;
  readonly counts: LimiterCounts;
  readonly now: () => number;
  readonly newSecret: () => string;
}

export function keyRoutes({ store, counts, now, newSecret }: KeyParts): ConsoleRoutes {
  const { accounts } = store;
  async function describe(key: ListedKey): Promise<Api.Key> {
    const [shown] = await describeKeys(store, counts, [key]);
    return shown as Api.Key;
  }

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
          secret,
          expiresAtMs: expires === null ? null : parseExpiry(expires, nowMs),
          nowMs,
        });
        return json<Api.NewKey>({ key: await describe(key), secret }, 201);
      },
    },
    '/api/keys/:id/rotate': {
      async POST({ request, params }) {
        const { overlap } = await readBody(request, { overlap: text });
        const secret = newSecret();
        const { old, successor } = await accounts.rotateKey(keyId(params['id']), {
          secret,
          overlapMs: parseDuration(overlap),
          nowMs: now(),
        });
        return json<Api.RotatedKey>({
          old: await describe(old),
          successor: await describe(successor),
          secret,
        });
      },
    },
    '/api/keys/:id/revoke': {
      async POST({ params }) {
        return json<Api.Key>(await describe(await accounts.revokeKey(keyId(params['id']), now())));
      },
    },
    '/api/keys/:id/unban': {
      async POST({ params }) {
        return json<Api.Key>(await describe(await accounts.unbanKey(keyId(params['id']), now())));
      },
    },
  };
}

/** All keys must be of one account. */
export async function describeKeys(
  { history }: OperatorStore,
  counts: LimiterCounts,
  keys: readonly ListedKey[],
): Promise<Api.Key[]> {
  const accountId = keys[0]?.accountId ?? 0;
  const lastUses = await history.lastUses(accountId);
  return Promise.all(
    keys.map(async (key) => ({
      ...keyJson(key, await counts.bannedUntilMs(key), counts.timeOf(key)),
      lastUsedAt: formatTimeOrNull(lastUses.get(key.id) ?? null),
      successorId: key.successorId,
    })),
  );
}

function keyId(given = ''): number {
  const id = parseId(given);
  if (id === undefined) throw unknownKey(given);
  return id;
}
