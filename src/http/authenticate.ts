import { type Problem, problem } from '../contract/errors.ts';
import { type KnownKey, keyState } from '../domain/api-key.ts';
import { splitToken, type Token } from '../domain/key-secret.ts';
import type { Environment } from '../domain/staging.ts';

const BEARER = /^Bearer +[^ ]/i;

const MISSING = problem('missing_api_key');
export const INVALID_KEY = {
  production: problem('invalid_api_key'),
  staging: problem('invalid_api_key', true),
};
/** The key is one of the other environment. */
const FOREIGN = {
  production: problem('invalid_api_key', false, true),
  staging: problem('invalid_api_key', true, true),
};
/** By the state of a key that is refused. If it is active, its account is suspended. */
const REFUSALS = {
  revoked: problem('revoked_api_key'),
  expired: problem('expired_api_key'),
  active: problem('account_suspended'),
};

/** The token of a request, or the reason for a 401. */
export function readToken(authorization: string | null, environment: Environment): Token | Problem {
  if (authorization === null || !BEARER.test(authorization)) return MISSING;
  const token = splitToken(authorization.slice('Bearer'.length).trimStart());
  if (token === undefined) return INVALID_KEY[environment];
  return token.environment === environment ? token : FOREIGN[environment];
}

/** Why a key is not accepted at this time, or undefined. */
export function keyProblem({ key, endsAtMs }: KnownKey, timeMs: number): Problem | undefined {
  return timeMs < endsAtMs ? undefined : REFUSALS[keyState(key, timeMs)];
}
