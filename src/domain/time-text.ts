import { z } from 'zod';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.ts';
import { OperatorError } from './error.ts';

const DURATION = /^(\d{1,6})([smhd])$/;
const UNIT_MS = { s: 1_000, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS } as const;

/** Formats a time as 2030-12-05T00:00:00Z. */
export function formatTime(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

export function formatTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : formatTime(ms);
}

/** Formats the day of a time, in UTC, as 2030-12-05. */
export function formatDay(at: number | Date): string {
  return new Date(at).toISOString().slice(0, 'yyyy-mm-dd'.length);
}

export function parseDuration(text: string): number {
  const ms = durationMs(text);
  if (ms !== undefined) return ms;
  throw new OperatorError(
    `A duration is a number and a unit (s, m, h or d), such as 24h, not "${text}".`,
  );
}

/** Explains in the help how a time is written. */
export const TIME_FORMS =
  'a duration (30d), a date (2027-01-31, which includes that day, UTC) or a time (2027-01-31T12:00Z)';

/** Reads a time in the future: a duration from now, or a date or time in UTC. Returns null for "never". */
export function parseExpiry(text: string, nowMs: number): number | null {
  if (text === 'never') return null;
  const at = parseTime(text, nowMs, 1, '23:59:59');
  if (at > nowMs) return at;
  throw new OperatorError(`The expiry ${text} is not in the future.`);
}

/** Reads a time in the past: a duration before now, or a date or time in UTC. */
export function parseSince(text: string, nowMs: number): number {
  const at = parseTime(text, nowMs, -1, '00:00:00');
  if (at <= nowMs) return at;
  throw new OperatorError(`The time ${text} is in the future.`);
}

/** Reads the end of a period. Lists show times in seconds, so the period includes that whole second. */
export function parseUntil(text: string, nowMs: number): number {
  return parseTime(text, nowMs, -1, '23:59:59') + 999;
}

/** A duration is added to `nowMs` with this sign. A date is the day at this time. */
function parseTime(text: string, nowMs: number, sign: 1 | -1, timeOfDay: string): number {
  const duration = durationMs(text);
  const isDate = dateSchema.safeParse(text).success;
  const at =
    duration === undefined
      ? parseMinute(isDate ? `${text}T${timeOfDay}Z` : text)
      : nowMs + sign * duration;
  if (at !== undefined) return at;
  throw new OperatorError(`The time must be ${TIME_FORMS}, not "${text}".`);
}

/** Returns undefined for a text that is not a duration. */
export function durationMs(text: string): number | undefined {
  const [, count, unit] = DURATION.exec(text) ?? [];
  return unit === undefined ? undefined : Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

const dateSchema = z.iso.date();
const timestampSchema = z.iso.datetime({ offset: true });

/** Reads a time with a time zone (RFC 3339), with or without seconds. Returns undefined for any other text. */
export function parseMinute(text: string): number | undefined {
  const time = text.replace(/T\d\d:\d\d(?=[Z+-])/, '$&:00').toUpperCase();
  return timestampSchema.safeParse(time).success ? Date.parse(time) : undefined;
}
