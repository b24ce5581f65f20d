import { int64FromJsonNumber } from './int64.ts';

/** A JSON value whose int64 integers are bigints; any other number is a plain `number`. */
export type JsonValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | JsonValue[]
  | { [member: string]: JsonValue };

/** The mistake in a JSON text, for the person who sent it. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
}

export const MAX_JSON_DEPTH = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

/**
 * Parses JSON (RFC 8259). `JSON.parse` would round integers above 2^53 and silently accept a repeated
 * field. This keeps every digit and rejects the second field.
 */
export function parseJson(text: string): JsonValue {
  let at = 0;

  function fail(problem: string): never {
    throw new JsonSyntaxError(`${problem} at character ${at + 1}`);
  }

  function skipWhiteSpace(): void {
    for (;;) {
      const unit = text.charCodeAt(at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
      at++;
    }
  }

  /** Consumes `token` if it comes next. */
  function take(token: string): boolean {
    if (!text.startsWith(token, at)) return false;
    at += token.length;
    return true;
  }

  function readString(): string {
    const start = at++;
    for (;;) {
      const unit = text.charCodeAt(at);
      if (Number.isNaN(unit)) fail('a string has no end');
      if (unit < 0x20) fail('a string has an unescaped control character');
      at += unit === BACKSLASH ? 2 : 1;
      if (unit === QUOTE) break;
    }
    try {
      return JSON.parse(text.slice(start, at));
    } catch {
      return fail('a string has an invalid escape');
    }
  }

  function readNumber(): bigint | number {
    NUMBER.lastIndex = at;
    const source = NUMBER.exec(text)?.[0];
    if (source === undefined) return fail('expected a value');
    at += source.length;
    return int64FromJsonNumber(source) ?? Number(source);
  }

  function readArray(depth: number): JsonValue[] {
    const items: JsonValue[] = [];
    skipWhiteSpace();
    if (take(']')) return items;
    do items.push(readValue(depth));
    while (take(','));
    if (!take(']')) fail('expected "," or "]"');
    return items;
  }

  function readObject(depth: number): { [member: string]: JsonValue } {
    const members: { [member: string]: JsonValue } = Object.create(null);
    skipWhiteSpace();
    if (take('}')) return members;
    do {
      skipWhiteSpace();
      if (text.charCodeAt(at) !== QUOTE) fail('expected the name of a field in double quotes');
      const nameAt = at;
      const name = readString();
      if (name in members) {
        at = nameAt;
        fail('a field is repeated');
      }
      skipWhiteSpace();
      if (!take(':')) fail('expected ":"');
      members[name] = readValue(depth);
    } while (take(','));
    if (!take('}')) fail('expected "," or "}"');
    return members;
  }

  /** Reads a value and the white space around it. */
  function readValue(depth: number): JsonValue {
    if (depth > MAX_JSON_DEPTH) fail(`values are nested deeper than ${MAX_JSON_DEPTH} levels`);
    skipWhiteSpace();
    let value: JsonValue;
    if (text.charCodeAt(at) === QUOTE) value = readString();
    else if (take('{')) value = readObject(depth + 1);
    else if (take('[')) value = readArray(depth + 1);
    else if (take('true')) value = true;
    else if (take('false')) value = false;
    else if (take('null')) value = null;
    else value = readNumber();
    skipWhiteSpace();
    return value;
  }

  const value = readValue(1);
  if (at < text.length) fail('expected the end');
  return value;
}

/** Serializes bigints as well, with every digit. */
export function exactJson(value: unknown, indent?: number): string {
  const exact = (_: string, member: unknown) =>
    typeof member === 'bigint' ? JSON.rawJSON(String(member)) : member;
  return JSON.stringify(value, exact, indent);
}
