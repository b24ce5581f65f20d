import { DAY_SECONDS, MINUTE_SECONDS } from './durations.ts';
import type { Limits } from './plan.ts';

/** The requests that an account or address has used in its two windows, which start on whole seconds. */
export interface Counts {
  readonly minuteStartSeconds: number;
  minuteUsed: number;
  readonly dayStartSeconds: number;
  dayUsed: number;
}

/** The requests of a window, and when it ends. */
interface WindowQuota {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAtSeconds: number;
}

/** What the rate limit headers report. The inherited values describe the window that `window` names. */
export interface Quota extends WindowQuota {
  readonly window: 'minute' | 'day';
  /** Both windows, and their time on the clock of the limiter. Absent if the counts are unknown. */
  readonly windows?:
    | { readonly minute: WindowQuota; readonly day: WindowQuota; readonly nowMs: number }
    | undefined;
}

interface Admission extends Quota {
  readonly refusedBy?: undefined;
  /** Requests used in the minute, including this one, whichever window the headers report. */
  readonly minuteUsed: number;
}

export interface Refusal extends Quota {
  readonly refusedBy: 'minute' | 'day' | 'ban';
  readonly retryAfterSeconds: number;
  /** This request started the ban. */
  readonly banBegan?: boolean;
}

export type Decision = Admission | Refusal;

/** The account of a key, or the address of a request without a valid key. */
export interface Caller extends Limits {
  /** The name that its requests are counted under. */
  readonly subject: string;
  /** The id of the key, and when it was last unbanned. Both are absent for an address. */
  readonly id?: number;
  readonly unbannedAtMs?: number;
  /** The test clock of the account minus real time. 0 or absent in production. */
  readonly clockOffsetMs?: number;
}

/**
 * Counts requests: `MemoryLimiter` in this process, or `RedisLimiter` for all instances together. Throws
 * `StoreUnavailableError` when saved counts cannot be read.
 */
export interface Limiter {
  /** Counts one request in both windows or in neither. `nowMs` is the time of the caller. */
  take(caller: Caller, nowMs: number): Decision | Promise<Decision>;
  /**
   * Returns the quota as this instance last saw it, for the response to a request that is not counted.
   * Neither reads saved counts nor asks another machine. If this instance has not seen the counts, `windows` is absent.
   */
  peek(caller: Caller, nowMs: number): Quota;
}

/**
 * A client can use very many IPv6 addresses, so a limiter keeps only the most recent ones: at least this
 * many, and at most twice as many.
 */
export const MIN_ADDRESSES = 25_000;

const MAX_STEP_SECONDS = MINUTE_SECONDS;

/** Minutes start at a different second for each caller, so that clients do not all return at once. */
export function minuteOffsetSeconds(subject: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < subject.length; i++) {
    hash = Math.imul(hash ^ subject.charCodeAt(i), 0x01000193);
  }
  return (hash >>> 0) % MINUTE_SECONDS;
}

export const NOTHING_USED: Counts = {
  minuteStartSeconds: 0,
  minuteUsed: 0,
  dayStartSeconds: 0,
  dayUsed: 0,
};

/** Returns the counts in the windows at `nowMs`. The counts of a window that has ended become 0. */
export function countsAt(previous: Counts | undefined, subject: string, nowMs: number): Counts {
  const now = Math.floor(nowMs / 1000);
  const last = previous ?? NOTHING_USED;
  const { minuteStartSeconds: minute, dayStartSeconds: day } = last;
  const offset = previous ? minute % MINUTE_SECONDS : minuteOffsetSeconds(subject);
  const minuteStartSeconds = windowStart(minute, now, MINUTE_SECONDS, offset);
  const dayStartSeconds = windowStart(day, now, DAY_SECONDS, 0);
  const isSameMinute = minuteStartSeconds === minute;
  const isSameDay = dayStartSeconds === day;
  if (previous !== undefined && isSameMinute && isSameDay) return previous;
  return {
    minuteStartSeconds,
    minuteUsed: isSameMinute ? last.minuteUsed : 0,
    dayStartSeconds,
    dayUsed: isSameDay ? last.dayUsed : 0,
  };
}

/** If the clock steps back by up to a minute, the recorded window continues. */
function windowStart(recorded: number, now: number, length: number, offset: number): number {
  if (recorded > now && recorded - now <= MAX_STEP_SECONDS) return recorded;
  return Math.floor((now - offset) / length) * length + offset;
}

/**
 * Returns both windows, and which of them has fewer remaining requests or, if both are full, resets later.
 * `shown` has the limits that the headers show, if `limits` are only a share of them.
 */
export function quotaOf(counts: Counts, limits: Limits, nowMs: number, shown = limits): Quota {
  const minute = {
    limit: shown.perMinute,
    remaining: Math.max(0, limits.perMinute - counts.minuteUsed),
    resetAtSeconds: counts.minuteStartSeconds + MINUTE_SECONDS,
  };
  const day = {
    limit: shown.perDay,
    remaining: Math.max(0, limits.perDay - counts.dayUsed),
    resetAtSeconds: counts.dayStartSeconds + DAY_SECONDS,
  };
  const isMinute =
    minute.remaining === 0 && day.remaining === 0
      ? minute.resetAtSeconds > day.resetAtSeconds
      : minute.remaining < day.remaining;
  const { limit, remaining, resetAtSeconds } = isMinute ? minute : day;
  const window = isMinute ? 'minute' : 'day';
  return { window, limit, remaining, resetAtSeconds, windows: { minute, day, nowMs } };
}

/** Returns the quota for a response to a request that is not counted. Unknown counts are shown as 0. */
export function lastKnownQuota(known: Counts | undefined, caller: Caller, nowMs: number): Quota {
  const quota = quotaOf(countsAt(known, caller.subject, nowMs), caller, nowMs);
  return { ...quota, windows: known && quota.windows };
}

/**
 * Takes one request from both windows, or from neither. `counts` must be those at `nowMs`. They are updated
 * in place, because they live long: replaced objects would be garbage that only a full collection finds.
 */
export function takeRequest(
  counts: Counts,
  limits: Limits,
  nowMs: number,
  shown = limits,
): Decision {
  const isFull = counts.minuteUsed >= limits.perMinute || counts.dayUsed >= limits.perDay;
  if (!isFull) {
    counts.minuteUsed++;
    counts.dayUsed++;
  }
  const quota = quotaOf(counts, limits, nowMs, shown);
  if (!isFull) return { ...quota, minuteUsed: counts.minuteUsed };
  const retryAfterSeconds = secondsUntil(quota.resetAtSeconds, nowMs);
  return { ...quota, refusedBy: quota.window, retryAfterSeconds };
}

/** Rounds up, so that a client that waits this long has waited long enough. */
export function secondsUntil(atSeconds: number, nowMs: number): number {
  return Math.max(1, Math.ceil(atSeconds - nowMs / 1000));
}

/** True if no later request can need these counts. */
export function areCountsOver(counts: Counts, nowMs: number): boolean {
  const { dayStartSeconds, minuteStartSeconds } = counts;
  const endSeconds = Math.max(dayStartSeconds + DAY_SECONDS, minuteStartSeconds + MINUTE_SECONDS);
  return endSeconds <= nowMs / 1000;
}

/** The name that requests of an address are counted under. An IPv6 host usually owns a whole /64 network. */
export function addressSubject(address: string): string {
  if (!address.includes(':')) return `address:${address}`;
  const groups = groupsOf(address);
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  const [high = 0, low = 0] = groups.slice(6);
  return groups.slice(0, 6).join() === IPV4_PREFIX
    ? `address:${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
    : `address:${network.join(':')}::/64`;
}

/** The first six groups of an IPv4 address that is written as an IPv6 address. */
const IPV4_PREFIX = '0,0,0,0,0,65535';

/** Returns the eight groups of an IPv6 address. `::` stands for groups of zeros. */
function groupsOf(address: string): number[] {
  // The runtime's URL parser refuses some valid addresses that end with an IPv4 address.
  const [left = [], right = []] = address
    .split('::')
    .map((half) => half.split(':').filter(Boolean).flatMap(parseGroup));
  return [...left, ...Array(8 - left.length - right.length).fill(0), ...right];
}

/** The last two groups may be written as an IPv4 address. */
function parseGroup(text: string): number[] {
  if (!text.includes('.')) return [Number.parseInt(text, 16)];
  const [a = 0, b = 0, c = 0, d = 0] = text.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
}
