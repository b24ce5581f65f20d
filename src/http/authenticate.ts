import { type Problem, problem } from '../contract/errors.ts';
import { type KeyFinder, type KnownKey, keyState } from '../domain/api-key.ts';
import { isWellFormed } from '../domain/key-secret.ts';

const BEARER = /^Bearer +[^ ]/i;

const MISSING = problem('missing_api_key');
const INVALID = problem('invalid_api_key');
const INVALID_TEST_KEY = problem('invalid_api_key', true);
const OF_STAGING = problem('invalid_api_key', false, true);
const OF_PRODUCTION = problem('invalid_api_key', true, true);
const EXPIRED = problem('expired_api_key');
const REVOKED = problem('revoked_api_key');
const SUSPENDED = problem('account_suspended');

/** The reason for a 401, by the state of a key that is refused. An active key has a suspended account. */
const REFUSALS = { revoked: REVOKED, expired: EXPIRED, active: SUSPENDED };

/** The key that the request was sent with, or the reason for a 401. */
export function authenticate(
  authorization: string | null,
  keys: KeyFinder,
  nowMs: number,
  isStaging: boolean = false,
): KnownKey | Problem | Promise<KnownKey | Problem> {
  if (authorization === null || !BEARER.test(authorization)) return MISSING;
  const secret = authorization.slice('Bearer'.length).trimStart();
  if (!isWellFormed(secret, isStaging)) {
    if (!isWellFormed(secret, !isStaging)) return invalid(isStaging);
    return isStaging ? OF_PRODUCTION : OF_STAGING;
  }
  const found = keys.findKey(secret);
  return found instanceof Promise
    ? found.then((known) => checkKey(known, nowMs, isStaging))
    : checkKey(found, nowMs, isStaging);
}

function checkKey(
  known: KnownKey | undefined,
  nowMs: number,
  isStaging: boolean,
): KnownKey | Problem {
  if (known === undefined) return invalid(isStaging);
  if (nowMs < known.endsAtMs) return known;
  return REFUSALS[keyState(known.key, nowMs)];
}

function invalid(isStaging: boolean): Problem {
  return isStaging ? INVALID_TEST_KEY : INVALID;
}
