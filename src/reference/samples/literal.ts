import { type JsonValue, parseJson } from '../../domain/json.ts';

/** How a language writes JSON values in its source code. */
export interface LiteralStyle {
  readonly indent: string;
  string(text: string): string;
  integer(value: bigint): string;
  /** The name of a field of an object. */
  field(name: string): string;
  word(value: boolean | number | null): string;
}

export const INTEGER = /^-?(?:0|[1-9][0-9]*)$/;
const INVISIBLE = /[\u007f-\u009f\u00ad\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** The value of a JSON text, or undefined if only the text itself is exact. */
export function exactValue(
  json: string,
  isExactInteger = (_integer: bigint) => true,
): JsonValue | undefined {
  /** A number that is not an int64 may lose digits in a literal. */
  const isExact = (value: JsonValue): boolean => {
    if (typeof value === 'bigint') return isExactInteger(value);
    if (value === null || typeof value !== 'object') return typeof value !== 'number';
    return Object.values(value).every(isExact);
  };
  try {
    const value = parseJson(json);
    return isExact(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A JSON string. Escapes invisible characters too, and is a literal of JavaScript, Python and Go. */
export function doubleQuoted(text: string): string {
  return JSON.stringify(text).replace(
    INVISIBLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export function singleQuoted(text: string): string {
  const inside = doubleQuoted(text).slice(1, -1);
  const quoted = inside.replace(/\\(.)|'/gs, (found, escaped) => {
    if (escaped === '"') return '"';
    return found === "'" ? "\\'" : found;
  });
  return `'${quoted}'`;
}

/** The value as source code, with a line for each part. */
export function literal(value: JsonValue, style: LiteralStyle, indent = ''): string {
  if (typeof value === 'string') return style.string(value);
  if (typeof value === 'bigint') return style.integer(value);
  if (value === null || typeof value !== 'object') return style.word(value);
  const isArray = Array.isArray(value);
  const inner = indent + style.indent;
  const lines = Object.entries(value).map(
    ([name, item]) =>
      `${inner}${isArray ? '' : `${style.field(name)}: `}${literal(item, style, inner)},\n`,
  );
  const [open, close] = isArray ? '[]' : '{}';
  return `${open}\n${lines.join('')}${indent}${close}`;
}
