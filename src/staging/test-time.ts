/** RFC 3339. A leap second is missing: none is announced for the future. */
const TIME =
  /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d+))?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** The rate limit headers hold times until 2106, and a clock runs on. */
const LATEST_MS = Date.parse('2100-01-01T00:00:00Z');

export const TEST_TIME_RULE =
  'must be a time before 2100 with a time zone, such as 2030-12-05T00:00:00Z, or now';

/** Undefined for a value that breaks the rule. */
export function parseTestTime(text: string): number | 'now' | undefined {
  if (text === 'now') return text;
  const [, day = '', time, fraction = '', zone = ''] = TIME.exec(text) ?? [];
  // `Date.parse` would read 31 February as 3 March.
  const midnight = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return undefined;
  const ms = fraction.padEnd(3, '0').slice(0, 3);
  const at = Date.parse(`${day}T${time}.${ms}${zone.toUpperCase()}`);
  return at < LATEST_MS ? at : undefined;
}
