import type { Clock } from '../support/clock.ts';

const DAY_SECONDS = 86_400;
const REFUSALS_TO_BAN = 150;
const BAN_SECONDS = 600;

/** The requests of an account that are counted. */
interface Window {
  used: number;
  refusals: number;
  reset: number;
}

export interface Decision {
  /** The status of a refusal. Undefined if the request is admitted. */
  readonly status: 429 | 403 | undefined;
  readonly headers: Record<string, string>;
}

/** The limits of the reference server, and on staging the test clock of each account. */
export class ReferenceLimits {
  readonly #clock: Clock;
  readonly #perDay: Readonly<Record<string, number>>;
  readonly #minutes = new Map<string, Window>();
  readonly #days = new Map<string, Window>();
  readonly #bans = new Map<string, number>();
  readonly #offsetsMs = new Map<string, number>();

  constructor(clock: Clock, perDay: Readonly<Record<string, number>>) {
    this.#clock = clock;
    this.#perDay = perDay;
  }

  timeMs(account: string): number {
    return this.#clock.now() + (this.#offsetsMs.get(account) ?? 0);
  }

  /** Returns false for a time in the past of the account. */
  moveClock(account: string, testTime: string): boolean {
    if (testTime === 'now') {
      for (const state of [this.#minutes, this.#days, this.#bans, this.#offsetsMs]) {
        state.delete(account);
      }
      return true;
    }
    const offsetMs = Date.parse(testTime) - this.#clock.now();
    if (!(offsetMs >= (this.#offsetsMs.get(account) ?? 0))) return false;
    this.#offsetsMs.set(account, offsetMs);
    return true;
  }

  take(account: string, perMinute: number): Decision {
    const now = Math.floor(this.timeMs(account) / 1000);
    const perDay = this.#perDay[account] ?? Number.POSITIVE_INFINITY;
    const minute = windowAt(this.#minutes, account, now, 60);
    const day = windowAt(this.#days, account, now, DAY_SECONDS);
    const bannedUntil = this.#bans.get(account) ?? 0;
    if (bannedUntil > now) return refusal(403, perMinute, bannedUntil, now);
    if (day.used >= perDay) return refusal(429, perDay, day.reset, now);
    if (minute.used < perMinute) {
      minute.used++;
      day.used++;
      const headers = limitHeaders(perMinute, perMinute - minute.used, minute.reset);
      return { status: undefined, headers };
    }
    if (++minute.refusals === REFUSALS_TO_BAN) this.#bans.set(account, now + BAN_SECONDS);
    return refusal(429, perMinute, minute.reset, now);
  }

  /** The refusal of an account that has used up its day. */
  fullDay(account: string, perDay: number): Decision {
    const now = Math.floor(this.timeMs(account) / 1000);
    return refusal(429, perDay, now + DAY_SECONDS / 2, now);
  }
}

function windowAt(windows: Map<string, Window>, account: string, now: number, length: number) {
  let window = windows.get(account);
  if (window === undefined || window.reset <= now) {
    window = { used: 0, refusals: 0, reset: now + length };
    windows.set(account, window);
  }
  return window;
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
