import { parseInt64 } from '../domain/int64.ts';

/** A string, with the colon after it if it is a member name, or a number. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|-?\d[-+.\deE]*/g;

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
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if ('toJSON' in value && typeof value.toJSON === 'function') return toJson(value.toJSON());
  if (Array.isArray(value)) return `[${Array.from(value, (item) => toJson(item) ?? 'null')}]`;
  const members = Object.entries(value)
    .map(([name, member]) => [JSON.stringify(name), toJson(member)] as const)
    .filter(([, text]) => text !== undefined);
  return `{${members.map((member) => member.join(':'))}}`;
}
