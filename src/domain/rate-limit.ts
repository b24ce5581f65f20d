import type { Limits } from './plan.ts';

/** Seconds everywhere are Unix seconds: windows and bans begin and end on whole ones. */
const MINUTE_SECONDS = 60;
const DAY_SECONDS = 24 * 60 * 60;

/** How much of its two windows a subject has used. */
export interface Usage {
  readonly minuteStart: number;
  readonly minuteUsed: number;
  readonly dayStart: number;
  readonly dayUsed: number;
}

/** The one window that the rate-limit headers tell of. */
export interface Standing {
  readonly window: 'minute' | 'day';
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

export interface Decision extends Standing {
  /** Undefined when the request is admitted. */
  readonly refusedBy?: 'minute' | 'day' | 'ban';
  readonly retryAfterSeconds?: number;
  /** This very request brought the ban about. */
  readonly banBegan?: boolean;
}

/** Who is counted: an account through one of its keys, or an address without a valid one. */
export interface Caller {
  readonly subject: string;
  readonly limits: Limits;
  readonly key?: { readonly id: number; readonly pardonedAtMs: number };
}

/** Counts requests. Taking is atomic: both windows or neither. */
export interface Limiter {
  take(caller: Caller): Promise<Decision>;
  /** Where the caller stands, without counting anything. */
  peek(caller: Caller): Promise<Standing>;
}

/** The second of the minute at which a subject's minutes begin, so that not all begin together. */
export function minuteOffsetSeconds(subject: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < subject.length; i++) {
    hash = Math.imul(hash ^ subject.charCodeAt(i), 0x01000193);
  }
  return (hash >>> 0) % MINUTE_SECONDS;
}

/** The usage in the windows that hold `nowMs`: what was used in earlier ones is over. */
export function usageAt(previous: Usage | undefined, subject: string, nowMs: number): Usage {
  const now = Math.floor(nowMs / 1000);
  const offset = minuteOffsetSeconds(subject);
  const minuteStart = windowStart(previous?.minuteStart, now, MINUTE_SECONDS, offset);
  const dayStart = windowStart(previous?.dayStart, now, DAY_SECONDS, 0);
  return {
    minuteStart,
    minuteUsed: previous?.minuteStart === minuteStart ? previous.minuteUsed : 0,
    dayStart,
    dayUsed: previous?.dayStart === dayStart ? previous.dayUsed : 0,
  };
}

/** A clock that steps back by up to a window stays in the window it was in: a reset never wobbles. */
function windowStart(
  previous: number | undefined,
  now: number,
  length: number,
  offset: number,
): number {
  const start = Math.floor((now - offset) / length) * length + offset;
  const steppedBack = previous !== undefined && previous > start && previous - start <= length;
  return steppedBack ? previous : start;
}

function windowsOf(usage: Usage, limits: Limits): { minute: Standing; day: Standing } {
  return {
    minute: {
      window: 'minute',
      limit: limits.perMinute,
      remaining: Math.max(0, limits.perMinute - usage.minuteUsed),
      resetSeconds: usage.minuteStart + MINUTE_SECONDS,
    },
    day: {
      window: 'day',
      limit: limits.perDay,
      remaining: Math.max(0, limits.perDay - usage.dayUsed),
      resetSeconds: usage.dayStart + DAY_SECONDS,
    },
  };
}

/** Of two windows, the one that holds the caller back sooner, or for longer. */
export function standing(usage: Usage, limits: Limits): Standing {
  const { minute, day } = windowsOf(usage, limits);
  if (minute.remaining === 0 && day.remaining === 0) {
    return minute.resetSeconds > day.resetSeconds ? minute : day;
  }
  return minute.remaining < day.remaining ? minute : day;
}

/** Takes one request from both windows, or from neither. `usage` must be of `nowMs`. */
export function takeRequest(
  usage: Usage,
  limits: Limits,
  nowMs: number,
): { usage: Usage; decision: Decision } {
  const before = standing(usage, limits);
  if (before.remaining === 0) {
    const retryAfterSeconds = secondsUntil(before.resetSeconds, nowMs);
    return { usage, decision: { ...before, refusedBy: before.window, retryAfterSeconds } };
  }
  const taken = {
    ...usage,
    minuteUsed: usage.minuteUsed + 1,
    dayUsed: usage.dayUsed + 1,
  };
  return { usage: taken, decision: standing(taken, limits) };
}

/** Rounded up, so that who waits as long as told has waited long enough. */
export function secondsUntil(seconds: number, nowMs: number): number {
  return Math.max(1, Math.ceil(seconds - nowMs / 1000));
}

/** The usage holds nothing that a later request could need. */
export function isUsageOver(usage: Usage, nowMs: number): boolean {
  return usage.dayStart + DAY_SECONDS <= nowMs / 1000;
}
