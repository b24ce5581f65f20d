import { int64FromJsonNumber } from './int64.ts';

/**
 * A value that was read from JSON. An integer that fits into an int64 is a bigint. Any other number is a
 * `number`, which is NaN if the text of the number is very long.
 */
export type JsonValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | JsonValue[]
  | { [member: string]: JsonValue };

/** The message continues a sentence for the person who sent the text, such as "is not valid JSON: …". */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
}

export const MAX_JSON_DEPTH = 64;

/** Converting a number of many digits is slow, and no field accepts one. A longer one is read as NaN. */
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
 * field. This function keeps every digit and refuses the second field. It also refuses a text with more
 * than `maxValues` members and elements, because a value costs much more time than its bytes suggest.
 */
export function parseJson(text: string, maxValues = Infinity): JsonValue {
  return new JsonParser(text, maxValues).parse();
}

/**
 * A parser for one text, by recursive descent: there is a method for each kind of value, and each leaves
 * `#at` behind what it has read. Strings, numbers and white space are found by native searches, which are
 * much faster than looking at each character here.
 */
class JsonParser {
  /** The index of the next character to read. */
  #at = 0;
  /** Counts members and elements. It begins below zero because the root value does not count. */
  #values = -1;

  constructor(
    private readonly text: string,
    private readonly maxValues: number,
  ) {}

  parse(): JsonValue {
    const value = this.#readValue(1);
    if (this.#at < this.text.length) this.#fail('expected the end');
    return value;
  }

  #fail(problem: string): never {
    throw new JsonSyntaxError(`is not valid JSON: ${problem} at character ${this.#at + 1}`);
  }

  #skipWhiteSpace(): void {
    // Most of the time there is none, and then this comparison is all.
    if (this.text.charCodeAt(this.#at) > SPACE) return;
    WHITE_SPACE.lastIndex = this.#at;
    WHITE_SPACE.test(this.text);
    this.#at = WHITE_SPACE.lastIndex;
  }

  /** Consumes `token` if it comes next. */
  #take(token: string): boolean {
    if (!this.text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  #readString(): string {
    const text = this.text;
    const start = this.#at;
    let end = text.indexOf('"', start + 1);
    // A backslash before it may mean that it does not end the string.
    if (text[end - 1] === '\\') end = endOfString(text, start + 1);
    if (end === -1) this.#failInString(start, text.length, 'a string has no end');
    this.#at = end + 1;
    const plain = text.slice(start + 1, end);
    if (!NOT_PLAIN.test(plain)) return plain;
    try {
      return JSON.parse(text.slice(start, this.#at));
    } catch {
      return this.#failInString(start, this.#at, 'a string has an invalid escape');
    }
  }

  /** A control character is reported first, because it may be why the rest looks wrong. */
  #failInString(start: number, end: number, problem: string): never {
    CONTROL.lastIndex = start;
    const control = CONTROL.exec(this.text)?.index ?? end;
    this.#at = Math.min(control, end);
    this.#fail(control < end ? 'a string has an unescaped control character' : problem);
  }

  #readNumber(): bigint | number {
    NUMBER.lastIndex = this.#at;
    if (!NUMBER.test(this.text)) this.#fail('expected a value');
    const source = this.text.slice(this.#at, NUMBER.lastIndex);
    this.#at = NUMBER.lastIndex;
    const integer = int64FromJsonNumber(source);
    return integer ?? (source.length > MAX_NUMBER_TO_READ ? Number.NaN : Number(source));
  }

  #readArray(depth: number): JsonValue[] {
    const items: JsonValue[] = [];
    this.#skipWhiteSpace();
    if (this.#take(']')) return items;
    do items.push(this.#readValue(depth));
    while (this.#take(','));
    if (!this.#take(']')) this.#fail('expected "," or "]"');
    return items;
  }

  #readObject(depth: number): { [member: string]: JsonValue } {
    const members: { [member: string]: JsonValue } = Object.create(null);
    this.#skipWhiteSpace();
    if (this.#take('}')) return members;
    do {
      this.#skipWhiteSpace();
      if (this.text.charCodeAt(this.#at) !== QUOTE)
        this.#fail('expected the name of a field in double quotes');
      const nameAt = this.#at;
      const name = this.#readString();
      if (name in members) {
        this.#at = nameAt;
        this.#fail('a field is repeated');
      }
      this.#skipWhiteSpace();
      if (!this.#take(':')) this.#fail('expected ":"');
      members[name] = this.#readValue(depth);
    } while (this.#take(','));
    if (!this.#take('}')) this.#fail('expected "," or "}"');
    return members;
  }

  /** Reads a value and the white space around it. */
  #readValue(depth: number): JsonValue {
    if (depth > MAX_JSON_DEPTH) {
      throw new JsonSyntaxError(`is nested deeper than ${MAX_JSON_DEPTH} levels`);
    }
    if (++this.#values > this.maxValues)
      throw new JsonSyntaxError(`has more than ${this.maxValues} values`);
    this.#skipWhiteSpace();
    let value: JsonValue;
    const first = this.text.charCodeAt(this.#at);
    if (first === QUOTE) value = this.#readString();
    // Every value other than a string or a number begins with a character after the digits.
    else if (first <= NINE) value = this.#readNumber();
    else if (this.#take('{')) value = this.#readObject(depth + 1);
    else if (this.#take('[')) value = this.#readArray(depth + 1);
    else if (this.#take('true')) value = true;
    else if (this.#take('false')) value = false;
    else if (this.#take('null')) value = null;
    else this.#fail('expected a value');
    this.#skipWhiteSpace();
    return value;
  }
}

/**
 * Looks at each character, because one search for each of very many escaped quotation marks would take
 * longer. Returns -1 if the string has no end.
 */
function endOfString(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
  }
  return -1;
}

/** Writes any value as JSON, with bigints as integers with all their digits. */
export function exactJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, (_, member) => exactMember(member), indent);
}

/**
 * Returns these fields of a value in a form that `JSON.stringify` writes with every digit. It refuses
 * bigints, and the replacer of `exactJson` is called for each member, which is slower.
 */
export function exactFields<T extends object>(value: T, fields: readonly (keyof T)[]): object {
  const exact: Partial<Record<keyof T, unknown>> = {};
  for (const field of fields) exact[field] = exactMember(value[field]);
  return exact;
}

function exactMember(member: unknown): unknown {
  if (typeof member !== 'bigint') return member;
  const number = Number(member);
  return Number.isSafeInteger(number) ? number : JSON.rawJSON(String(member));
}
