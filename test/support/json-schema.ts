import type { JsonSchema } from '../../src/contract/json-schema.ts';
import { INT64_MAX, INT64_MIN } from '../../src/domain/int64.ts';
import type { JsonValue } from '../../src/domain/json.ts';

/** What each keyword of the document demands; those that demand nothing are here as well. */
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
  // More than is documented may be sent one day, but not without a word about it today.
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
      throw new Error(`Nobody knows the format ${format}`);
  }
}

/**
 * Where a value breaks a schema, or undefined. Exact for int64, which validators that read numbers
 * as doubles are not; a keyword that is not understood here is a failure, never passed over.
 */
export function violation(
  value: JsonValue,
  schema: JsonSchema,
  resolve: (ref: string) => JsonSchema,
  at = 'the body',
): string | undefined {
  if (schema.$ref !== undefined) return violation(value, resolve(schema.$ref), resolve, at);
  for (const [keyword, expected] of Object.entries(schema)) {
    const check = KEYWORDS[keyword];
    if (check === undefined) return `${at}: nobody knows the keyword ${keyword}`;
    if (!check(value, schema)) return `${at} breaks ${keyword} ${String(expected)}`;
  }
  const parts: [place: string, part: JsonValue, shape: JsonSchema][] = [];
  if (schema.items !== undefined) {
    for (const [index, item] of (value as JsonValue[]).entries()) {
      parts.push([`${at}[${index}]`, item, schema.items]);
    }
  }
  for (const [member, shape] of Object.entries(schema.properties ?? {})) {
    const part = (value as { [member: string]: JsonValue })[member];
    if (part !== undefined) parts.push([`${at}.${member}`, part, shape]);
  }
  for (const [place, part, shape] of parts) {
    const problem = violation(part, shape, resolve, place);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
