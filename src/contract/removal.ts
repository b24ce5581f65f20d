import { type Brownout, brownoutAt } from '../domain/brownout.ts';
import { formatDay } from '../domain/time-text.ts';
import { API_PREFIX } from './api.ts';
import type { Deprecation } from './deprecation.ts';
import { AppError, type ErrorDetails, type Problem, problem } from './errors.ts';
import { OPERATIONS, type Operation, type OperationName } from './operations.ts';

/** Undefined while the operation works. A brownout rehearses the removal, with the same error. */
export function removalOf(
  name: OperationName,
  nowMs: number,
  brownouts: readonly Brownout[],
): Problem | undefined {
  const { deprecation }: Operation = OPERATIONS[name];
  if (deprecation === undefined) return undefined;
  if (nowMs >= deprecation.removedAt.getTime()) {
    return problem('operation_removed', ...details(name, deprecation));
  }
  // Almost every request ends here.
  if (brownouts.length === 0) return undefined;
  const brownout = brownoutAt(brownouts, name, nowMs);
  if (brownout === undefined) return undefined;
  const { endsAtMs } = brownout;
  const rehearsal = problem('operation_removed', ...details(name, deprecation, endsAtMs));
  return { ...rehearsal, retryAfterSeconds: Math.ceil((endsAtMs - nowMs) / 1000) };
}

/** The error after the removal, today. Undefined for an operation that stays. */
export function removedAlready(name: OperationName): AppError | undefined {
  const { deprecation }: Operation = OPERATIONS[name];
  return deprecation && new AppError('operation_removed', ...details(name, deprecation));
}

function details(
  name: OperationName,
  { removedAt, advice }: Deprecation,
  rehearsalEndMs?: number,
): ErrorDetails<'operation_removed'> {
  const { method, path } = OPERATIONS[name];
  const operation = `${method} ${API_PREFIX}${path}`;
  return [operation, formatDay(removedAt.getTime()), advice, rehearsalEndMs];
}
