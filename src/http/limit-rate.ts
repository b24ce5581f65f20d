import { AppError } from '../domain/error.ts';
import type { Decision, Standing } from '../domain/rate-limit.ts';

/** Throws the 429 that a refusal is answered with. */
export function requireAdmitted(decision: Decision): void {
  if (decision.refusedBy === undefined) return;
  const { refusedBy, retryAfterSeconds, limit } = decision;
  const advice =
    `Retry after ${retryAfterSeconds} seconds, as Retry-After says; ` +
    'if refused again, back off exponentially.';
  if (refusedBy === 'ban') {
    throw new AppError(
      'api_key_banned',
      `This API key is banned for a while, because it kept sending after 429 answers. ${advice}`,
      { retryAfterSeconds },
    );
  }
  throw new AppError(
    `rate_limit_${refusedBy}`,
    `All ${limit} requests of this ${refusedBy} are used up. ${advice}`,
    { retryAfterSeconds },
  );
}

export function rateLimitHeaders(standing: Standing): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(standing.limit),
    'X-RateLimit-Remaining': String(standing.remaining),
    'X-RateLimit-Reset': String(standing.resetAtSeconds),
  };
}
