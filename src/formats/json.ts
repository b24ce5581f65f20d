import { int64FromJsonNumber } from './int64.ts';

/** A JSON value whose int64 integers are bigints; any other number is a plain `number`, or NaN if very long. */
export type JsonValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | JsonValue[]
  | { [member: string]: JsonValue };

/** What is wrong with a JSON text, for the person who sent it: "is not valid JSON: …". */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
}

export const MAX_JSON_DEPTH = 64;

/** Nobody needs the value of a longer number that is not an integer, and reading it takes long. */
const MAX_NUMBER_TO_READ = 1_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const NINE = 0x39;
const WHITE_SPACE = /[ \n\r\t]*/y;
const CONTROLS = '\\u0000-\\u001F';
const CONTROL = new RegExp(`[${CONTROLS}]`, 'g');
const NOT_PLAIN = new RegExp(`[\\\\${CONTROLS}]`);
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

/**
 * Parses JSON (RFC 8259). `JSON.parse` would round integers above 2^53 and silently accept a repeated
 * field. This keeps every digit and rejects the second field. Stops at more members and elements than
 * `maxValues`: each costs much more than its bytes.
 */
export function parseJson(text: string, maxValues = Number.POSITIVE_INFINITY): JsonValue {
  let at = 0;
  /** The text itself is none. */
  let values = -1;

  function fail(problem: string): never {
    throw new JsonSyntaxError(`is not valid JSON: ${problem} at character ${at + 1}`);
  }

  function skipWhiteSpace(): void {
    if (text.charCodeAt(at) > SPACE) return;
    WHITE_SPACE.lastIndex = at;
    WHITE_SPACE.test(text);
    at = WHITE_SPACE.lastIndex;
  }

  /** Consumes `token` if it comes next. */
  function take(token: string): boolean {
    if (!text.startsWith(token, at)) return false;
    at += token.length;
    return true;
  }

  function readString(): string {
    const start = at;
    at = text.indexOf('"', start + 1);
    if (isEscaped(at)) at = endOfString(at + 1);
    if (at === -1) failInString(start, text.length, 'a string has no end');
    at++;
    const plain = text.slice(start + 1, at - 1);
    if (!NOT_PLAIN.test(plain)) return plain;
    try {
      return JSON.parse(text.slice(start, at));
    } catch {
      return failInString(start, at, 'a string has an invalid escape');
    }
  }

  /** After an odd number of backslashes. */
  function isEscaped(place: number): boolean {
    let before = place;
    while (text[before - 1] === '\\') before--;
    return (place - before) % 2 === 1;
  }

  /** One by one: a search for each of many escaped quotation marks would take longer. */
  function endOfString(from: number): number {
    for (let place = from; place < text.length; place++) {
      const code = text.charCodeAt(place);
      if (code === QUOTE) return place;
      if (code === BACKSLASH) place++;
    }
    return -1;
  }

  function failInString(start: number, end: number, problem: string): never {
    CONTROL.lastIndex = start;
    at = CONTROL.exec(text)?.index ?? end;
    if (at < end) fail('a string has an unescaped control character');
    at = end;
    fail(problem);
  }

  function readNumber(): bigint | number {
    NUMBER.lastIndex = at;
    if (!NUMBER.test(text)) fail('expected a value');
    const source = text.slice(at, NUMBER.lastIndex);
    at = NUMBER.lastIndex;
    const integer = int64FromJsonNumber(source);
    return integer ?? (source.length > MAX_NUMBER_TO_READ ? Number.NaN : Number(source));
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
    if (depth > MAX_JSON_DEPTH) {
      throw new JsonSyntaxError(`is nested deeper than ${MAX_JSON_DEPTH} levels`);
    }
    if (++values > maxValues) throw new JsonSyntaxError(`has more than ${maxValues} values`);
    skipWhiteSpace();
    let value: JsonValue;
    const first = text.charCodeAt(at);
    if (first === QUOTE) value = readString();
    // A number, or no value: everything else begins with a later character.
    else if (first <= NINE) value = readNumber();
    else if (take('{')) value = readObject(depth + 1);
    else if (take('[')) value = readArray(depth + 1);
    else if (take('true')) value = true;
    else if (take('false')) value = false;
    else if (take('null')) value = null;
    else fail('expected a value');
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

/**
 * Returns these fields of a value in a form that `JSON.stringify` writes with every digit. It refuses
 * bigints, and the replacer of `exactJson` is called for each member, which is slower.
 */
export function exactFields<T extends object>(value: T, fields: readonly (keyof T)[]): object {
  const exact: Partial<Record<keyof T, unknown>> = {};
  for (const field of fields) {
    const member = value[field];
    exact[field] = typeof member === 'bigint' ? exactNumber(member) : member;
  }
  return exact;
}

function exactNumber(value: bigint): unknown {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : JSON.rawJSON(String(value));
}
