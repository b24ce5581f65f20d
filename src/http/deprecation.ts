import {
  API_PREFIX,
  OPERATIONS,
  type Operation,
  type OperationName,
} from '../contract/operations.ts';

/** The headers that tell a caller of a deprecated operation when it ends and what follows it. */
export function deprecationHeaders(
  name: OperationName,
  publicUrl: string,
): Readonly<Record<string, string>> {
  const { deprecation }: Operation = OPERATIONS[name];
  if (deprecation === undefined) return {};
  const { deprecatedAt, removedAt, successor } = deprecation;
  return {
    Deprecation: `@${deprecatedAt.getTime() / 1000}`,
    Sunset: removedAt.toUTCString(),
    Link: `<${publicUrl}${API_PREFIX}${OPERATIONS[successor].path}>; rel="successor-version"`,
  };
}
