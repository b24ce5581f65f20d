import { AppError } from '../domain/error.ts';
import type { Decision, Standing } from '../domain/rate-limit.ts';

/** Throws the 429 that a refusal is answered with. */
export function requireAdmitted(decision: Decision): void {
  const { refusedBy, retryAfterSeconds = 1 } = decision;
  const wait = `Wait ${retryAfterSeconds} s, as Retry-After says, and then back off exponentially.`;
  switch (refusedBy) {
    case undefined:
      return;
    case 'minute':
    case 'day':
      throw new AppError(
        `rate_limit_${refusedBy}`,
        `All ${decision.limit} requests of this ${refusedBy} are used up. ${wait}`,
        { retryAfterSeconds },
      );
    case 'ban':
      throw new AppError(
        'api_key_banned',
        `This API key is banned for a while, since it kept sending after 429 answers. ${wait}`,
        { retryAfterSeconds },
      );
  }
}

export function rateLimitHeaders(standing: Standing): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(standing.limit),
    'X-RateLimit-Remaining': String(standing.remaining),
    'X-RateLimit-Reset': String(standing.resetSeconds),
  };
}
