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

/** Throws `OperatorError` for a text that is not allowed. */
export const note = text.transform(parseNote);

export function keyRoutes(sources: ConsoleSources) {
  const { now, newSecret } = sources;
  const expires = text.transform((given) => parseExpiry(given, now()));
  const newKeyBody = {
    label: note.default(''),
    expires,
    scope: z.enum(KEY_SCOPES, { error: 'must be all or read' }).default('all'),
  };
  return {
    'GET /api/keys'({ read }) {
      const filter = read('filter', (given) => FILTERS.find((each) => each === given), FILTER_RULE);
      return listKeys(sources, filter, read('cursor', parseId));
    },
    async 'POST /api/accounts/:name/keys'({ request, name: accountName, store }) {
      const { expires: expiresAtMs, ...given } = await readBody(request, newKeyBody);
      const secret = newSecret();
      const creation = { accountName, ...given, secret, expiresAtMs };
      const { id } = await store.accounts.createKey(creation);
      return { id, secret };
    },
    // The secret comes in the body, because proxies write addresses into their logs.
    async 'POST /api/keys/find'({ request, store }) {
      const { secret } = await readBody(request, { secret: text });
      const { id, accountName } = await store.accounts.findKey(secret);
      return { id, account: accountName };
    },
    async 'POST /api/keys/:id/update'({ request, id, store }) {
      const given = { label: note.optional(), expires: expires.optional() };
      const { label, expires: expiresAtMs } = await readBody(request, given);
      await store.accounts.updateKey(keyId(id), { label, expiresAtMs });
    },
    async 'POST /api/keys/:id/rotate'({ request, id, store }) {
      const given = await readBody(request, { overlap: text, expires });
      const secret = newSecret();
      const { successor } = await store.accounts.rotateKey(keyId(id), {
        secret,
        overlapMs: parseDuration(given.overlap),
        expiresAtMs: given.expires,
      });
      return { id: successor.id, secret };
    },
    async 'POST /api/keys/:id/revoke'({ id, store }) {
      await store.accounts.revokeKey(keyId(id));
    },
    async 'POST /api/keys/:id/unban'({ id, store }) {
      await store.accounts.unbanKey(keyId(id));
    },
  } satisfies ConsoleRoutes;
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
) {
  const rows: Awaited<ReturnType<typeof describeKeys>> = [];
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
) {
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
