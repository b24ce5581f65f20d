import { timingSafeEqual } from 'node:crypto';
import {
  hasValidChecksum,
  isWellFormed,
  type KeyDirectory,
  type KnownKey,
  keyState,
  SECRET_FORMAT,
} from '../domain/api-key.ts';
import { type Awaitable, whenReady } from '../domain/awaitable.ts';
import type { Problem } from '../domain/error.ts';

const BEARER = /^Bearer +[^ ]/i;
const SCHEME_LENGTH = 'Bearer'.length;

const HOW_TO = 'Send it as "Authorization: Bearer <API key>".';

const NO_HEADER: Problem = {
  code: 'missing_api_key',
  message: `This request needs an API key. ${HOW_TO}`,
};
const NO_KEY: Problem = {
  code: 'missing_api_key',
  message: `The Authorization header has no API key. ${HOW_TO}`,
};
const INVALID: Problem = {
  code: 'invalid_api_key',
  message: `This API key is not valid. Check that it was copied whole: it is ${SECRET_FORMAT}.`,
};
const REVOKED: Problem = {
  code: 'revoked_api_key',
  message: 'This API key has been revoked. Use another one.',
};
const EXPIRED: Problem = {
  code: 'expired_api_key',
  message: 'This API key has expired. Use a newer one.',
};

/** Who sent the request, or the 401 that answers it. Throws only when the keys are out of reach. */
export function authenticate(
  authorization: string | null,
  keys: KeyDirectory,
  sha256: (text: string) => Uint8Array,
  nowMs: number,
): Awaitable<KnownKey | Problem> {
  if (authorization === null) return NO_HEADER;
  if (!BEARER.test(authorization)) return NO_KEY;
  const secret = secretIn(authorization);
  if (!isWellFormed(secret)) return INVALID;
  const hash = sha256(secret);
  const remembered = keys.recallKey(hash);
  if (remembered !== undefined && timingSafeEqual(remembered.hash, hash)) {
    return checkState(remembered, nowMs);
  }
  return hasValidChecksum(secret) ? lookUp(hash, keys, nowMs) : INVALID;
}

function lookUp(
  hash: Uint8Array,
  keys: KeyDirectory,
  nowMs: number,
): Awaitable<KnownKey | Problem> {
  return whenReady(keys.findKey(hash), (known) =>
    known !== undefined && timingSafeEqual(known.hash, hash) ? checkState(known, nowMs) : INVALID,
  );
}

/** What follows the scheme and its spaces. */
function secretIn(authorization: string): string {
  let start = SCHEME_LENGTH;
  while (authorization[start] === ' ') start++;
  return authorization.slice(start);
}

function checkState(known: KnownKey, nowMs: number): KnownKey | Problem {
  switch (keyState(known.key, nowMs)) {
    case 'revoked':
      return REVOKED;
    case 'expired':
      return EXPIRED;
    case 'active':
      return known;
  }
}
