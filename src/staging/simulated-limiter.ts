import { BAN_RULES, type Penalty, refusalByBan } from '../domain/ban.ts';
import {
  type Caller,
  type Decision,
  type Limiter,
  type Standing,
  standing,
  takeRequest,
  type Usage,
  usageAt,
} from '../domain/rate-limit.ts';
import type { UsageReader } from '../domain/usage-journal.ts';

/** Refuses keys that simulate a used-up window or a ban. Their requests are not counted. */
export class SimulatedLimiter implements Limiter, UsageReader {
  readonly #limiter: Limiter & UsageReader;
  readonly #now: () => number;

  constructor(limiter: Limiter & UsageReader, now: () => number) {
    this.#limiter = limiter;
    this.#now = now;
  }

  take(caller: Caller): Decision | Promise<Decision> {
    const { subject, limits, test } = caller;
    const nowMs = this.#now() + (test?.offsetMs ?? 0);
    const usage = usageAt(undefined, subject, nowMs);
    switch (test?.simulation?.kind) {
      case 'rate_limit_minute':
        return takeRequest({ ...usage, minuteUsed: limits.perMinute }, limits, nowMs);
      case 'rate_limit_day':
        return takeRequest({ ...usage, dayUsed: limits.perDay }, limits, nowMs);
      case 'api_key_banned': {
        const bannedUntilSeconds = Math.floor(nowMs / 1000) + BAN_RULES.firstBanSeconds;
        return refusalByBan({ bannedUntilSeconds }, standing(usage, limits), nowMs);
      }
      default:
        return this.#limiter.take(caller);
    }
  }

  peek(caller: Caller): Standing | Promise<Standing> {
    return this.#limiter.peek(caller);
  }

  getUsage(subject: string): Promise<Usage | undefined> {
    return this.#limiter.getUsage(subject);
  }

  getPenalty(subject: string, keyId: number): Promise<Penalty | undefined> {
    return this.#limiter.getPenalty(subject, keyId);
  }
}
