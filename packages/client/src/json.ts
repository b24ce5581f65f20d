/** A string, with the colon after it if it is a member name, or a number. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|-?\d[-+.\deE]*/g;

export function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

/** Undefined if the text is not an int64 in decimal digits. */
export function parseInt64(text: string): bigint | undefined {
  if (!/^-?\d{1,19}$/.test(text)) return undefined;
  const value = BigInt(text);
  return isInt64(value) ? value : undefined;
}

/**
 * Like `JSON.parse`, which rounds large integers. This returns every int64 as a bigint. Throws
 * `SyntaxError` if the text is not JSON.
 */
export function fromJson(text: string): unknown {
  // Throws with a position in the original text.
  JSON.parse(text);
  // Every value that is a string gets a first character that says if it was a number.
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
 * Like `JSON.stringify`, which throws for a bigint. This writes it as an integer with all its
 * digits, wherever it is in the value.
 */
export function toJson(value: unknown): string;
export function toJson(value: unknown): string | undefined {
  // Every bigint becomes a string that begins with U+0000, so other such strings get one more.
  const marked: string | undefined = JSON.stringify(
    value,
    function (this: Record<string, unknown>, name, member) {
      // Not `member`: some programs give bigints a `toJSON` that returns a string.
      const original = typeof this[name] === 'bigint' ? this[name] : member;
      const isMarked =
        typeof original === 'bigint' || (typeof original === 'string' && original.startsWith('\0'));
      return isMarked ? `\0${original}` : member;
    },
  );
  return marked?.replace(TOKEN, (token: string, colon?: string) => {
    if (colon !== undefined) return token;
    return token.replace(/^"\\u0000(?:(-?\d+)"$)?/, (_, digits = '"') => digits);
  });
}
