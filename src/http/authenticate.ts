import { timingSafeEqual } from 'node:crypto';
import { type Account, accountSubject } from '../domain/account.ts';
import {
  hasValidChecksum,
  type KeyDirectory,
  type KnownKey,
  keyState,
  SECRET_FORMAT,
} from '../domain/api-key.ts';
import { type Awaitable, whenReady } from '../domain/awaitable.ts';
import { AppError } from '../domain/error.ts';
import type { Caller } from '../domain/rate-limit.ts';

const BEARER = /^Bearer +[^ ]/i;
const SCHEME_LENGTH = 'Bearer'.length;

export interface Identity {
  readonly account: Account;
  readonly caller: Caller;
}

const HOW_TO = 'Send it as "Authorization: Bearer <API key>".';

/** Made once: whoever tries keys by the million should not cost more than who has one. */
const NO_HEADER = new AppError('missing_api_key', `This request needs an API key. ${HOW_TO}`);
const NO_KEY = new AppError(
  'missing_api_key',
  `The Authorization header has no API key. ${HOW_TO}`,
);
const INVALID = new AppError(
  'invalid_api_key',
  `This API key is not valid. Check that it was copied whole: it is ${SECRET_FORMAT}.`,
);
const REVOKED = new AppError('revoked_api_key', 'This API key has been revoked. Use another one.');
const EXPIRED = new AppError('expired_api_key', 'This API key has expired. Use a newer one.');

/** Who sent the request, or the 401 that answers it. Throws only when the keys are out of reach. */
export function authenticate(
  authorization: string | null,
  keys: KeyDirectory,
  sha256: (text: string) => Uint8Array,
  nowMs: number,
): Awaitable<Identity | AppError> {
  if (authorization === null) return NO_HEADER;
  if (!BEARER.test(authorization)) return NO_KEY;
  const secret = authorization.slice(SCHEME_LENGTH).trimStart();
  if (!hasValidChecksum(secret)) return INVALID;
  const hash = sha256(secret);
  return whenReady(keys.findKey(hash), (known) =>
    known !== undefined && timingSafeEqual(known.hash, hash) ? identify(known, nowMs) : INVALID,
  );
}

function identify(known: KnownKey, nowMs: number): Identity | AppError {
  switch (keyState(known.key, nowMs)) {
    case 'revoked':
      return REVOKED;
    case 'expired':
      return EXPIRED;
    case 'active':
      return identityOf(known);
  }
}

/** Stores hand out the same object for as long as a key stays as it is. */
const identities = new WeakMap<KnownKey, Identity>();

function identityOf(known: KnownKey): Identity {
  const earlier = identities.get(known);
  if (earlier !== undefined) return earlier;
  const { key, account } = known;
  const identity = {
    account,
    caller: {
      subject: accountSubject(account.id),
      limits: account.limits,
      key: { id: key.id, unbannedAtMs: key.unbannedAtMs },
    },
  };
  identities.set(known, identity);
  return identity;
}
