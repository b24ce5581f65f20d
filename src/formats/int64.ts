export const INT64_MIN = -(2n ** 63n);
export const INT64_MAX = 2n ** 63n - 1n;

export const INT64_RULE = `must be an integer from ${INT64_MIN} to ${INT64_MAX}`;

const CANONICAL = /^(?:0|-?[1-9][0-9]{0,18})$/;
const JSON_NUMBER = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;
const MAX_DIGITS = 19;
const NOT_ZERO = /[1-9]/;

/** Parses an integer from a path or query: decimal digits, with `-` as the only sign. */
export function parseInt64(text: string): bigint | undefined {
  if (!CANONICAL.test(text)) return undefined;
  const value = BigInt(text);
  return value >= INT64_MIN && value <= INT64_MAX ? value : undefined;
}

/**
 * Returns the exact integer that a JSON number represents, or undefined if that is not an int64. `7`, `7.0`
 * and `70e-1` are all seven. It moves only the decimal point in the text, so `1e999999999` costs nothing.
 */
export function int64FromJsonNumber(source: string): bigint | undefined {
  const plain = parseInt64(source);
  if (plain !== undefined) return plain;
  const parts = JSON_NUMBER.exec(source) as RegExpExecArray;
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts;
  const written = whole + fraction;
  const start = written.search(NOT_ZERO);
  if (start === -1) return 0n;
  // The place of the decimal point among the written digits. Only zeros may follow it.
  const point = whole.length + Number(exponent);
  if (point <= start || point - start > MAX_DIGITS || NOT_ZERO.test(written.slice(point))) {
    return undefined;
  }
  return parseInt64(sign + written.slice(start, point).padEnd(point - start, '0'));
}

/**
 * Reads a number of up to 15 decimal digits, which a `number` represents exactly. Returns undefined for any
 * other text, such as `1e3`, `0x10` or `-5`.
 */
export function wholeNumber(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The greatest id of an account, a key or an audit entry. Only the ids of pets may be greater. */
export const MAX_ID = 2 ** 31 - 1;

/** Returns undefined for a text that is not such an id. */
export function parseId(text: string): number | undefined {
  const id = wholeNumber(text);
  return id !== undefined && id <= MAX_ID ? id : undefined;
}
