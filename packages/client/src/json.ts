/** Matches a number or a string. If the string is the name of a member, the match includes its colon. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|-?\d[-+.\deE]*/g;

export function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

/** Returns undefined if the text is not an int64 in decimal digits. */
export function parseInt64(text: string): bigint | undefined {
  if (!/^-?\d{1,19}$/.test(text)) return undefined;
  const value = BigInt(text);
  return isInt64(value) ? value : undefined;
}

/**
 * Parses JSON. Unlike `JSON.parse`, which rounds large integers, this function returns every int64 as a bigint. Throws
 * `SyntaxError` if the text is not JSON.
 */
export function fromJson(text: string): unknown {
  // The original text is parsed first, so that a `SyntaxError` names the position in that text.
  JSON.parse(text);
  // Numbers become strings that begin with `n`. Values that are strings already get the first character `s`.
  const marked = text.replace(TOKEN, (token: string, colon?: string) => {
    if (colon !== undefined) return token;
    return token.startsWith('"') ? `"s${token.slice(1)}` : `"n${token}"`;
  });
  return JSON.parse(marked, (_, value) => {
    if (typeof value !== 'string') return value;
    const original = value.slice(1);
    if (value.startsWith('s')) return original;
    // 7.0 is the same integer as 7.
    return parseInt64(original.replace(/\.0+$/, '')) ?? Number(original);
  });
}

/**
 * Writes a value as JSON. Unlike `JSON.stringify`, which throws for a bigint, this function writes each
 * bigint in the value as an integer with all its digits.
 */
export function toJson(value: unknown): string;
export function toJson(value: unknown): string | undefined {
  const wasExact = isExact;
  isExact = true;
  try {
    return JSON.stringify(value, mark)?.replace(TOKEN, (token: string, colon?: string) => {
      if (colon !== undefined) return token;
      return token.replace(/^"\\u0000(?:(-?\d+)"$)?/, (_, digits = '"') => digits);
    });
  } finally {
    isExact = wasExact;
  }
}

/** True while `toJson` runs, which writes the bigints that `JSON.stringify` cannot write. */
let isExact = false;

/** Every bigint becomes a string that begins with U+0000. Other strings that begin with U+0000 get one more. */
function mark(this: Record<string, unknown>, name: string, member: unknown): unknown {
  // `member` cannot be used here, because some programs give bigints a `toJSON` that returns a string.
  const original = typeof this[name] === 'bigint' ? this[name] : member;
  const isMarked =
    typeof original === 'bigint' || (typeof original === 'string' && original.startsWith('\0'));
  return isMarked ? `\0${original}` : member;
}

/**
 * Lets `JSON.stringify` write the bigints of an object. The method that does this is not enumerable: the object still
 * equals a literal with the same members, and `structuredClone` can copy it. The price is that a copy lacks the method.
 */
export function stringifiable<T extends object>(value: T): T {
  return Object.defineProperty(value, 'toJSON', {
    value: membersForJson,
    configurable: true,
    writable: true,
  });
}

function membersForJson(this: object): object {
  const members = Object.entries(this).map(([name, member]) => [name, forStringify(member)]);
  return Object.fromEntries(members);
}

function forStringify(value: unknown): unknown {
  // A program that gives bigints a `toJSON` has decided how `JSON.stringify` writes them.
  if (typeof value !== 'bigint' || 'toJSON' in BigInt.prototype) return value;
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown };
  if (rawJSON !== undefined) return rawJSON(`${value}`);
  if (isExact) return value;
  throw new TypeError(
    `JSON.stringify cannot write ${value} exactly on this runtime. Use toJson of @animal-store/client.`,
  );
}
