import {
  API_PREFIX,
  dayOf,
  OPERATIONS,
  type Operation,
  type OperationName,
} from '../contract/operations.ts';
import { AppError } from '../domain/error.ts';

/** What tells a caller of a deprecated operation when it ends and what follows it. */
export interface DeprecationNotice {
  readonly deprecation: string;
  readonly sunset: string;
  /** An entry of the Link header. */
  readonly link: string;
}

/** By operation; undefined where it is not deprecated. */
export function deprecationNotices(
  publicUrl: string,
): Readonly<Record<OperationName, DeprecationNotice | undefined>> {
  return {
    listPets: noticeOf('listPets', publicUrl),
    createPet: noticeOf('createPet', publicUrl),
    getPet: noticeOf('getPet', publicUrl),
  };
}

function noticeOf(name: OperationName, publicUrl: string): DeprecationNotice | undefined {
  const { deprecation }: Operation = OPERATIONS[name];
  if (deprecation === undefined) return undefined;
  const { deprecatedAt, removedAt, successor } = deprecation;
  return {
    deprecation: `@${deprecatedAt.getTime() / 1000}`,
    sunset: removedAt.toUTCString(),
    link: `<${publicUrl}${API_PREFIX}${OPERATIONS[successor].path}>; rel="successor-version"`,
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
