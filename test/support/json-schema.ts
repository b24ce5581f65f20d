import type { JsonSchema } from '../../src/contract/schemas.ts';
import { INT64_MAX, INT64_MIN } from '../../src/domain/int64.ts';
import type { JsonValue } from '../../src/domain/json.ts';

/** A check for each keyword of the document. Annotations always pass. */
const KEYWORDS: Readonly<Record<string, (value: JsonValue, schema: JsonSchema) => boolean>> = {
  description: () => true,
  default: () => true,
  examples: () => true,
  type: (value, { type }) => typeOf(value) === type,
  format: (value, { format }) => hasFormat(value, String(format)),
  enum: (value, schema) => schema.enum?.includes(String(value)) === true,
  const: (value, schema) => value === schema.const,
  minimum: (value, { minimum = 0 }) => (value as number) >= minimum,
  maximum: (value, { maximum = 0 }) => (value as number) <= maximum,
  minLength: (value, { minLength }) => [...String(value)].length >= Number(minLength),
  maxLength: (value, { maxLength }) => [...String(value)].length <= Number(maxLength),
  pattern: (value, { pattern }) => new RegExp(String(pattern), 'u').test(String(value)),
  maxItems: (value, { maxItems }) => (value as JsonValue[]).length <= Number(maxItems),
  required: (value, { required }) =>
    required?.every((member) => member in (value as object)) === true,
  items: () => true,
  // The schema allows more members, but the service must not send undocumented ones.
  properties: (value, { properties = {} }) =>
    Object.keys(value as object).every((member) => member in properties),
};

function typeOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  return typeof value;
}

function hasFormat(value: JsonValue, format: string): boolean {
  switch (format) {
    case 'int64':
      return typeof value === 'bigint' && value >= INT64_MIN && value <= INT64_MAX;
    case 'int32':
      return typeof value === 'bigint' && BigInt.asIntN(32, value) === value;
    case 'uuid':
      return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(value));
    case 'uri':
      return URL.canParse(String(value));
    default:
      throw new Error(`Unknown format ${format}`);
  }
}

/**
 * The first violation of a schema, if any. It is exact for int64, unlike validators that use
 * doubles. An unknown keyword is a violation.
 */
export function schemaViolation(
  value: JsonValue,
  schema: JsonSchema,
  resolve: (ref: string) => JsonSchema,
  at = 'the body',
): string | undefined {
  if (schema.$ref !== undefined) return schemaViolation(value, resolve(schema.$ref), resolve, at);
  for (const [keyword, expected] of Object.entries(schema)) {
    const check = KEYWORDS[keyword];
    if (check === undefined) return `${at}: unknown keyword ${keyword}`;
    if (!check(value, schema)) return `${at} breaks ${keyword} ${String(expected)}`;
  }
  const parts: [path: string, part: JsonValue, shape: JsonSchema][] = [];
  if (schema.items !== undefined) {
    for (const [index, item] of (value as JsonValue[]).entries()) {
      parts.push([`${at}[${index}]`, item, schema.items]);
    }
  }
  for (const [member, shape] of Object.entries(schema.properties ?? {})) {
    const part = (value as { [member: string]: JsonValue })[member];
    if (part !== undefined) parts.push([`${at}.${member}`, part, shape]);
  }
  for (const [path, part, shape] of parts) {
    const problem = schemaViolation(part, shape, resolve, path);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
