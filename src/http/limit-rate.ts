import type { Problem } from '../domain/error.ts';
import type { Decision, Refusal } from '../domain/rate-limit.ts';
import { rememberLast } from '../domain/remember-last.ts';

/** The 429 that a refusal is answered with; undefined for who is admitted. */
export function refusalProblem(decision: Decision): Problem | undefined {
  return decision.refusedBy === undefined ? undefined : problemOf(decision);
}

const problemOf = rememberLast(isToldAlike, ({ refusedBy, retryAfterSeconds, limit }): Problem => {
  const advice =
    `Retry after ${retryAfterSeconds} seconds, as Retry-After says; ` +
    'if refused again, back off exponentially.';
  if (refusedBy === 'ban') {
    return {
      code: 'api_key_banned',
      message: `This API key is banned for a while, because it kept sending after 429 answers. ${advice}`,
      retryAfterSeconds,
    };
  }
  return {
    code: `rate_limit_${refusedBy}`,
    message: `All ${limit} requests of this ${refusedBy} are used up. ${advice}`,
    retryAfterSeconds,
  };
});

function isToldAlike(last: Refusal, next: Refusal): boolean {
  return (
    last.refusedBy === next.refusedBy &&
    last.retryAfterSeconds === next.retryAfterSeconds &&
    last.limit === next.limit
  );
}
