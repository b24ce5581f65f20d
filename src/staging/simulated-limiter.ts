import { BAN_RULES, type Penalty, refusalByBan } from '../domain/ban.ts';
import type { EpochLimiter } from '../domain/epoch-limiter.ts';
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
import { subjectInEpoch } from '../domain/staging.ts';
import type { UsageReader } from '../domain/usage-journal.ts';

/**
 * Counts each epoch of an account on its own. Refuses keys that simulate a used-up window or a ban;
 * their requests are not counted.
 */
export class SimulatedLimiter implements Limiter, UsageReader {
  readonly #limiter: EpochLimiter;
  readonly #now: () => number;
  /** The newest epoch of each account, by its subject. */
  readonly #epochs = new Map<string, number>();

  constructor(limiter: EpochLimiter, now: () => number) {
    this.#limiter = limiter;
    this.#now = now;
  }

  take(caller: Caller): Decision | Promise<Decision> {
    const { limits, test } = caller;
    if (test === undefined) return this.#limiter.take(caller);
    const subject = subjectInEpoch(caller.subject, test.epoch);
    const nowMs = this.#now() + test.offsetMs;
    const usage = usageAt(undefined, subject, nowMs);
    switch (test.simulation?.kind) {
      case 'rate_limit_minute':
        return takeRequest({ ...usage, minuteUsed: limits.perMinute }, limits, nowMs);
      case 'rate_limit_day':
        return takeRequest({ ...usage, dayUsed: limits.perDay }, limits, nowMs);
      case 'api_key_banned': {
        const bannedUntilSeconds = Math.floor(nowMs / 1000) + BAN_RULES.firstBanSeconds;
        return refusalByBan({ bannedUntilSeconds }, standing(usage, limits), nowMs);
      }
      default:
        // Nothing is left of an epoch that ended while the request was on its way.
        return this.#isCurrent(caller, test.epoch)
          ? this.#limiter.take({ ...caller, subject })
          : takeRequest(usage, limits, nowMs);
    }
  }

  /** The first request of an epoch deletes the counts of the one before. */
  #isCurrent(caller: Caller, epoch: number): boolean {
    const { subject } = caller;
    const before = this.#epochs.get(subject) ?? epoch - 1;
    if (epoch > before) {
      this.#epochs.set(subject, epoch);
      if (before > 0) this.#limiter.forget({ ...caller, subject: subjectInEpoch(subject, before) });
    }
    return epoch >= before;
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
