import type { Clock } from '../support/clock.ts';

const DAY_SECONDS = 86_400;
const REFUSALS_TO_BAN = 150;
const BAN_SECONDS = 600;

type LimitByKey = Readonly<Record<string, number>>;

/** The use of a key since the start of a window. */
interface Window {
  used: number;
  refusals: number;
  readonly reset: number;
}

interface Use {
  offsetMs: number;
  bannedUntil: number;
  minute?: Window;
  day?: Window;
}

interface Decision {
  /** The status of a refusal. Undefined if the request is admitted. */
  readonly status?: 429 | 403;
  readonly headers: Record<string, string>;
}

/** The limits of the reference server, and on staging the test clock of each key. */
export class ReferenceLimits {
  readonly #clock: Clock;
  readonly #perMinute: LimitByKey;
  readonly #perDay: LimitByKey;
  readonly #uses = new Map<string, Use>();

  constructor(clock: Clock, perMinute: LimitByKey, perDay: LimitByKey) {
    this.#clock = clock;
    this.#perMinute = perMinute;
    this.#perDay = perDay;
  }

  knows(key: string): boolean {
    return key in this.#perMinute;
  }

  timeMs(key: string): number {
    return this.#clock.now() + this.#useOf(key).offsetMs;
  }

  /** Returns false for a time in the past of the key. */
  moveClock(key: string, testTime: string): boolean {
    if (testTime === 'now') {
      this.#uses.delete(key);
      return true;
    }
    const use = this.#useOf(key);
    const offsetMs = Date.parse(testTime) - this.#clock.now();
    if (!(offsetMs >= use.offsetMs)) return false;
    use.offsetMs = offsetMs;
    return true;
  }

  take(key: string): Decision {
    const now = Math.floor(this.timeMs(key) / 1000);
    const perMinute = this.#perMinute[key] ?? 60;
    const perDay = this.#perDay[key] ?? Number.POSITIVE_INFINITY;
    const use = this.#useOf(key);
    const minute = windowAt(now, use.minute, 60);
    const day = windowAt(now, use.day, DAY_SECONDS);
    Object.assign(use, { minute, day });
    if (use.bannedUntil > now) return refusal(403, perMinute, use.bannedUntil, now);
    if (day.used >= perDay) return refusal(429, perDay, day.reset, now);
    if (minute.used < perMinute) {
      minute.used++;
      day.used++;
      return { headers: limitHeaders(perMinute, perMinute - minute.used, minute.reset) };
    }
    if (++minute.refusals === REFUSALS_TO_BAN) use.bannedUntil = now + BAN_SECONDS;
    return refusal(429, perMinute, minute.reset, now);
  }

  /** The refusal of a key that has used up its day. */
  fullDay(key: string): Decision {
    const now = Math.floor(this.timeMs(key) / 1000);
    return refusal(429, this.#perDay[key] ?? 0, now + DAY_SECONDS / 2, now);
  }

  #useOf(key: string): Use {
    const use = this.#uses.get(key) ?? { offsetMs: 0, bannedUntil: 0 };
    this.#uses.set(key, use);
    return use;
  }
}

function windowAt(now: number, window: Window | undefined, length: number): Window {
  const isOpen = window !== undefined && window.reset > now;
  return isOpen ? window : { used: 0, refusals: 0, reset: now + length };
}

function refusal(status: 429 | 403, limit: number, reset: number, now: number): Decision {
  const headers = { ...limitHeaders(limit, 0, reset), 'Retry-After': String(reset - now) };
  return { status, headers };
}

function limitHeaders(limit: number, remaining: number, reset: number): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(reset),
  };
}
