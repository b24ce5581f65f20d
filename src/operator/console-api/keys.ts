import { z } from 'zod';
import { parseNote } from '#domain/account.ts';
import { KEY_SCOPES, renewedExpiry } from '#domain/api-key.ts';
import {
  KEY_FILTERS,
  type KeyFilter,
  type ListedKey,
  unknownKey,
} from '#domain/operator/account-store.ts';
import { keyJson, readBan, recentRequests } from '#domain/operator/operator-json.ts';
import { formatTimeOrNull, parseDuration, parseExpiry } from '#domain/time-text.ts';
import { parseId } from '#formats/int64.ts';
import {
  type ConsoleRoutes,
  type ConsoleSources,
  pageOf,
  ROWS_PER_PAGE,
  readBody,
  text,
} from './call.ts';
import type * as Api from './shapes.ts';

/** Throws `OperatorError` for a text that is not allowed. */
export const note = text.transform(parseNote);

/** The only POST that changes nothing. */
export const FIND_KEY_PATH = '/api/keys/find';

export function keyRoutes(sources: ConsoleSources): ConsoleRoutes {
  const { store, storeOf, now, newSecret } = sources;
  const expires = text.transform((given) => parseExpiry(given, now()));
  const newKeyBody = {
    label: note.default(''),
    expires,
    scope: z.enum(KEY_SCOPES, { error: 'must be all or read' }).default('all'),
  };
  return {
    '/api/keys': {
      GET({ read }) {
        const filter = read(
          'filter',
          (given) => FILTERS.find((each) => each === given),
          FILTER_RULE,
        );
        return listKeys(sources, filter, read('cursor', parseId));
      },
    },
    '/api/accounts/:name/keys': {
      async POST({ request, name: accountName, operator }): Promise<Api.CreatedKey> {
        const { expires: expiresAtMs, ...given } = await readBody(request, newKeyBody);
        const secret = newSecret();
        const creation = { accountName, ...given, secret, expiresAtMs };
        const { id } = await storeOf(operator).accounts.createKey(creation);
        return { id, secret };
      },
    },
    [FIND_KEY_PATH]: {
      // The secret comes in the body, because proxies write addresses into their logs.
      async POST({ request }): Promise<Api.KeyOwner> {
        const { secret } = await readBody(request, { secret: text });
        const { id, accountName } = await store.accounts.findKey(secret);
        return { id, account: accountName };
      },
    },
    '/api/keys/:id/update': {
      async POST({ request, id, operator }) {
        const given = { label: note.optional(), expires: expires.optional() };
        const { label, expires: expiresAtMs } = await readBody(request, given);
        await storeOf(operator).accounts.updateKey(keyId(id), { label, expiresAtMs });
      },
    },
    '/api/keys/:id/rotate': {
      async POST({ request, id, operator }): Promise<Api.CreatedKey> {
        const given = await readBody(request, { overlap: text, expires });
        const secret = newSecret();
        const { successor } = await storeOf(operator).accounts.rotateKey(keyId(id), {
          secret,
          overlapMs: parseDuration(given.overlap),
          expiresAtMs: given.expires,
        });
        return { id: successor.id, secret };
      },
    },
    '/api/keys/:id/revoke': {
      async POST({ id, operator }) {
        await storeOf(operator).accounts.revokeKey(keyId(id));
      },
    },
    '/api/keys/:id/unban': {
      async POST({ id, operator }) {
        await storeOf(operator).accounts.unbanKey(keyId(id));
      },
    },
  };
}

function keyId(given: string): number {
  const id = parseId(given);
  if (id === undefined) throw unknownKey(given);
  return id;
}

const FILTERS = Object.keys(KEY_FILTERS) as KeyFilter[];
const FILTER_RULE = `The filter must be one of ${FILTERS.join(', ')}.`;

async function listKeys(
  sources: ConsoleSources,
  filter: KeyFilter | undefined,
  afterId: number | undefined,
): Promise<Api.PageOfRows<Api.Key>> {
  const rows: Api.Key[] = [];
  for await (const batch of sources.store.accounts.searchKeys({ filter, afterId })) {
    // Not all of these keys may be banned.
    const some = filter === 'banned' ? batch : batch.slice(0, ROWS_PER_PAGE + 1);
    rows.push(
      ...(await describeKeys(sources, some)).filter(
        (key) => filter !== 'banned' || key.state !== 'active',
      ),
    );
    if (rows.length > ROWS_PER_PAGE) break;
  }
  return pageOf(rows);
}

/** The state of a key whose ban is unknown is null. */
export async function describeKeys(
  { store, counts, now }: ConsoleSources,
  keys: readonly ListedKey[],
): Promise<Api.Key[]> {
  const requests = await recentRequests(store.history, keys, now());
  return Promise.all(
    keys.map(async (key) => {
      const bannedUntilMs = await readBan(counts, key, now()).catch(() => undefined);
      return {
        ...keyJson(key, bannedUntilMs, now()),
        requestsIn30Days: requests.get(key.id) ?? 0,
        successorId: key.successorId,
        renewedUntil: formatTimeOrNull(renewedExpiry(key, now())),
      };
    }),
  );
}
