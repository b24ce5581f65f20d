import { API_PREFIX, USAGE_PAGE } from '#contract/api.ts';
import { type Problem, problem } from '#contract/errors.ts';
import type { ResponseParts } from '#contract/exchange.ts';
import { CACHE_HEADERS } from '#contract/headers.ts';
import { OPERATIONS, type Operation, type OperationName } from '#contract/operations.ts';
import type { KnownKey } from '#domain/api-key.ts';
import { type Brownout, brownoutAt } from '#domain/brownout.ts';
import { type Refusal, secondsUntil } from '#domain/rate-limit.ts';
import { readUsage, type UsageSources } from '#domain/usage-report.ts';
import { preferredType } from '#formats/accept.ts';
import { splitUrl } from './query.ts';

const USAGE_HEADERS = { ...CACHE_HEADERS, Vary: 'Accept, Authorization' };

/** The response to a path that the API does not have, or to a method that the path does not have. */
export function answerWithoutOperation(method: string, allow: readonly string[]): ResponseParts {
  if (allow.length === 0) return problem('route_not_found');
  const headers = { Allow: allow.join(', ') };
  return method === 'OPTIONS'
    ? { status: 204, body: null, headers }
    : { ...problem('method_not_allowed', allow), headers };
}

/** The pages outside the API. */
export interface Pages {
  has(path: string): boolean;
  /** Undefined when the path has no page for this method. */
  read(request: Request, path: string): ResponseParts | undefined;
}

export function answerPage(pages: Pages, request: Request): ResponseParts {
  const { path } = splitUrl(request.url);
  const allow = pages.has(path) ? ['GET', 'HEAD', 'OPTIONS'] : [];
  return pages.read(request, path) ?? answerWithoutOperation(request.method, allow);
}

/** True for a program that reads the usage of its key as JSON. A browser that opens the address gets the page. */
export function wantsUsage({ method, url, headers }: Request): boolean {
  if (splitUrl(url).path !== USAGE_PAGE || (method !== 'GET' && method !== 'HEAD')) return false;
  const type = preferredType(headers.get('accept'), ['application/json', 'text/html']);
  return type === 'application/json';
}

/**
 * The error of an operation that is removed at this time, or undefined if it is not. During a brownout it is
 * the same error, with the time at which the brownout ends.
 */
export function problemIfRemoved(
  name: OperationName,
  nowMs: number,
  brownouts: readonly Brownout[],
): Problem | undefined {
  const { method, path, deprecation }: Operation = OPERATIONS[name];
  if (deprecation === undefined) return undefined;
  // Every brownout has ended when the operation is removed.
  const endsAtMs = brownoutAt(brownouts, nowMs)?.endsAtMs;
  const isRemoved = nowMs >= deprecation.removedAt.getTime();
  if (!isRemoved && endsAtMs === undefined) return undefined;
  const operation = `${method} ${API_PREFIX}${path}`;
  return {
    ...problem('operation_removed', operation, deprecation, endsAtMs),
    retryAfterSeconds: endsAtMs && secondsUntil(endsAtMs / 1000, nowMs),
  };
}

export async function answerUsage(
  sources: UsageSources,
  key: KnownKey,
  nowMs: number,
): Promise<ResponseParts> {
  const report = await readUsage(sources, key, nowMs);
  return { status: 200, body: JSON.stringify(report), headers: USAGE_HEADERS };
}

/** `limited` says in the message what has the limit, if it is not an account. */
export function refusalProblem(
  { refusedBy, limit, retryAfterSeconds }: Refusal,
  limited = '',
): Problem {
  const refused =
    refusedBy === 'ban'
      ? problem('api_key_banned', retryAfterSeconds)
      : problem(`rate_limit_${refusedBy}`, limit, retryAfterSeconds, limited);
  return { ...refused, retryAfterSeconds };
}
