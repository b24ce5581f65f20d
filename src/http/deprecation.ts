import {
  API_PREFIX,
  dayOf,
  OPERATIONS,
  type Operation,
  type OperationName,
} from '../contract/operations.ts';
import { AppError } from '../domain/error.ts';

/**
 * The headers that tell a caller of a deprecated operation when it ends and what follows it.
 * Undefined when the operation is not deprecated.
 */
export function deprecationNotice(
  name: OperationName,
  publicUrl: string,
): Record<string, string> | undefined {
  const { deprecation }: Operation = OPERATIONS[name];
  if (deprecation === undefined) return undefined;
  const { deprecatedAt, removedAt, successor } = deprecation;
  return {
    Deprecation: `@${deprecatedAt.getTime() / 1000}`,
    Sunset: removedAt.toUTCString(),
    Link: `<${publicUrl}${API_PREFIX}${OPERATIONS[successor].path}>; rel="successor-version"`,
  };
}

export function isRemoved(name: OperationName, nowMs: number): boolean {
  const { deprecation }: Operation = OPERATIONS[name];
  return deprecation !== undefined && nowMs >= deprecation.removedAt.getTime();
}

/** Throws `operation_removed` from the day on which the operation ends. */
export function requireNotRemoved(name: OperationName, nowMs: number): void {
  const { method, path, deprecation }: Operation = OPERATIONS[name];
  if (deprecation === undefined || !isRemoved(name, nowMs)) return;
  throw new AppError(
    'operation_removed',
    `${method} ${API_PREFIX}${path} was removed on ${dayOf(deprecation.removedAt)}. ${deprecation.advice}`,
  );
}
