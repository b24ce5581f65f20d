import { type Problem, problem } from '../contract/errors.ts';
import type { Environment } from '../domain/environment.ts';
import { splitToken, type Token } from '../domain/key-secret.ts';

const BEARER = /^Bearer +([^ ].*)/i;

const MISSING = problem('missing_api_key');

/** Why a key is not accepted, by its state. */
export const KEY_PROBLEMS = {
  active: undefined,
  revoked: problem('revoked_api_key'),
  expired: problem('expired_api_key'),
  suspended: problem('account_suspended'),
};

/** The token of a request. Undefined if it cannot be a key; a problem says why it is refused. */
export function readToken(
  authorization: string | null,
  environment: Environment,
): Token | Problem | undefined {
  const [, given] = BEARER.exec(authorization ?? '') ?? [];
  if (given === undefined) return MISSING;
  const token = splitToken(given);
  if (token === undefined || token.environment === environment) return token;
  return problem('invalid_api_key', environment, token.environment);
}
