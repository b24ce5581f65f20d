import { API_PREFIX } from '../contract/api.ts';
import { type Problem, problem } from '../contract/errors.ts';
import { OPERATIONS, type Operation, type OperationName } from '../contract/operations.ts';
import { type Brownout, brownoutAt } from '../domain/brownout.ts';
import { type Refusal, secondsUntil } from '../domain/rate-limit.ts';

export function refusalProblem({ refusedBy, limit, retryAfterSeconds }: Refusal): Problem {
  const refused =
    refusedBy === 'ban'
      ? problem('api_key_banned', retryAfterSeconds)
      : problem(`rate_limit_${refusedBy}`, limit, retryAfterSeconds);
  return { ...refused, retryAfterSeconds };
}

/**
 * The error of an operation that is removed at this time, or undefined if it is not. During a brownout it is
 * the same error, with the time at which the brownout ends.
 */
export function removalProblem(
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
  const removed = problem('operation_removed', operation, deprecation, endsAtMs);
  if (endsAtMs === undefined) return removed;
  return { ...removed, retryAfterSeconds: secondsUntil(endsAtMs / 1000, nowMs) };
}
