import QuickLRU from 'quick-lru';
import { isAccountSubject } from '../domain/account.ts';
import { MINUTE_SECONDS } from '../domain/durations.ts';
import type { Limits } from '../domain/plan.ts';
import {
  type Caller,
  type Decision,
  isUsageOver,
  type Standing,
  standing,
  takeRequest,
  type Usage,
  usageAt,
} from '../domain/rate-limit.ts';
import type { Settlement } from './take-script.ts';

/** An IPv6 client can use any number of addresses, so this many of the most recent are kept. */
const MIN_ADDRESSES = 25_000;

/** How long a request stays recent: for one to two periods, and only if others followed it soon. */
const PERIOD_MS = 2_000;
const QUIET_MS = 30_000;

interface Away {
  /** The counts that Redis had reported when it went away. */
  readonly reported: Usage;
  /** Requests that were in flight then, or sent shortly before. */
  readonly recent: number;
  /** Requests admitted here since. */
  admitted: Usage;
  /** Those of them that Redis has counted since it returned. */
  settled: Usage;
}

/** The state of one subject in this instance. */
interface Subject {
  /** The counts that Redis last reported. */
  reported: Usage | undefined;
  /** Requests sent to Redis in the current period and in the one before. */
  sent: number;
  sentBefore: number;
  periodStartMs: number;
  lastSentMs: number;
  /** Only from the moment Redis goes away until it decides alone again. */
  away: Away | undefined;
}

/**
 * Decides in process while Redis is away. Each instance may admit its share of the requests that
 * remained at the last report from Redis.
 */
export class Shares {
  readonly #instances: number;
  readonly #accounts = new Map<string, Subject>();
  readonly #addresses = new QuickLRU<string, Subject>({ maxSize: MIN_ADDRESSES });
  #dayStartSeconds = 0;

  constructor(instances: number) {
    this.#instances = instances;
  }

  /** Before a request is sent to Redis. */
  send(name: string, nowMs: number): void {
    const subject = this.#subject(name);
    if (isQuiet(subject, nowMs)) {
      subject.sent = 0;
      subject.sentBefore = 0;
      subject.periodStartMs = nowMs;
    }
    subject.sent++;
    subject.lastSentMs = nowMs;
  }

  report(name: string, usage: Usage, nowMs: number): void {
    const subject = this.#subject(name);
    subject.reported = usage;
    // Periods end only with a report: what is sent while Redis is silent stays recent.
    if (Math.abs(nowMs - subject.periodStartMs) >= PERIOD_MS) {
      subject.sentBefore = subject.sent;
      subject.sent = 0;
      subject.periodStartMs = nowMs;
    }
    if (usage.dayStartSeconds > this.#dayStartSeconds) this.#beginDay(usage, nowMs);
  }

  take(caller: Caller, nowMs: number): Decision {
    const { admitted, share, isDayFull } = this.#shareAt(caller, nowMs);
    const decision = withLimitOf(caller, takeRequest(admitted, share, nowMs));
    if (decision.refusedBy === undefined || isDayFull) return decision;
    // The share of a day may be used up long before the day's limit, and Redis may be back soon.
    const retryAfterSeconds = Math.min(decision.retryAfterSeconds, MINUTE_SECONDS);
    return { ...decision, retryAfterSeconds };
  }

  peek(caller: Caller, nowMs: number): Standing {
    const { admitted, share } = this.#shareAt(caller, nowMs);
    return withLimitOf(caller, standing(admitted, share));
  }

  /** The subjects decided here while Redis was away, with what its counts lack. */
  *unsettled(): Generator<[string, Settlement]> {
    for (const [name, { away }] of this.#all()) {
      if (away === undefined) continue;
      const { reported, admitted, settled } = away;
      yield [name, { reported, admitted: plus(admitted, -1, settled) }];
    }
  }

  /** Redis has counted what was admitted here. */
  settle(name: string, { admitted }: Settlement, usage: Usage, nowMs: number): void {
    this.report(name, usage, nowMs);
    this.#addSettled(name, admitted);
  }

  /** Redis has decided a request that was also taken from the share. */
  settleOne(name: string, takenAtMs: number): void {
    const windows = usageAt(this.#subject(name).away?.reported, name, takenAtMs);
    this.#addSettled(name, { ...windows, minuteUsed: 1, dayUsed: 1 });
  }

  /** Redis decides alone again. */
  endAway(): void {
    for (const [, subject] of this.#all()) subject.away = undefined;
  }

  *#all(): Generator<[string, Subject]> {
    yield* this.#accounts;
    yield* this.#addresses;
  }

  #addSettled(name: string, admitted: Usage): void {
    const { away } = this.#subject(name);
    if (away === undefined) return;
    away.settled = plus(plus(unused(away.admitted), 1, away.settled), 1, admitted);
  }

  #subject(name: string): Subject {
    const subjects = isAccountSubject(name) ? this.#accounts : this.#addresses;
    let subject = subjects.get(name);
    if (subject === undefined) {
      subject = {
        reported: undefined,
        ...{ sent: 0, sentBefore: 0, periodStartMs: 0, lastSentMs: 0 },
        away: undefined,
      };
      subjects.set(name, subject);
    }
    return subject;
  }

  #shareAt(
    { subject: name, limits }: Caller,
    nowMs: number,
  ): { admitted: Usage; share: Limits; isDayFull: boolean } {
    const subject = this.#subject(name);
    subject.away ??= beginAway(subject, name, nowMs);
    const { away } = subject;
    away.admitted = usageAt(away.admitted, name, nowMs);
    const { reported, recent, admitted } = away;
    const isSameMinute = reported.minuteStartSeconds === admitted.minuteStartSeconds;
    const isSameDay = reported.dayStartSeconds === admitted.dayStartSeconds;
    const share = {
      perMinute: isSameMinute
        ? this.#share(limits.perMinute, reported.minuteUsed, recent)
        : this.#share(limits.perMinute, 0, 0),
      perDay: isSameDay
        ? this.#share(limits.perDay, reported.dayUsed, recent)
        : this.#share(limits.perDay, 0, 0),
    };
    return { admitted, share, isDayFull: isSameDay && reported.dayUsed >= limits.perDay };
  }

  /**
   * After its last report to this instance, Redis may have counted requests of the others. They are
   * probably about as busy as this one, so as many as it sent recently are left out of its share.
   */
  #share(limit: number, used: number, recent: number): number {
    if (this.#instances === 1) return Math.max(0, limit - used);
    const share = Math.floor((limit - used) / this.#instances);
    // Many instances must not shut anyone out of a window that is still unused.
    return Math.max(0, (used === 0 ? Math.max(1, share) : share) - recent);
  }

  #beginDay({ dayStartSeconds }: Usage, nowMs: number): void {
    this.#dayStartSeconds = dayStartSeconds;
    for (const [name, subject] of this.#accounts) {
      const isOver = subject.reported === undefined || isUsageOver(subject.reported, nowMs);
      if (isOver && subject.away === undefined) this.#accounts.delete(name);
    }
  }
}

function isQuiet({ lastSentMs }: Subject, nowMs: number): boolean {
  return Math.abs(nowMs - lastSentMs) > QUIET_MS;
}

function beginAway(subject: Subject, name: string, nowMs: number): Away {
  const reported = usageAt(subject.reported, name, nowMs);
  const recent = isQuiet(subject, nowMs) ? 0 : subject.sent + subject.sentBefore;
  return { reported, recent, admitted: unused(reported), settled: unused(reported) };
}

function unused(usage: Usage): Usage {
  return { ...usage, minuteUsed: 0, dayUsed: 0 };
}

/** Adds the other requests `times` times, if they are in the same windows. */
function plus(usage: Usage, times: 1 | -1, other: Usage): Usage {
  const isSameMinute = usage.minuteStartSeconds === other.minuteStartSeconds;
  const isSameDay = usage.dayStartSeconds === other.dayStartSeconds;
  return {
    ...usage,
    minuteUsed: usage.minuteUsed + (isSameMinute ? times * other.minuteUsed : 0),
    dayUsed: usage.dayUsed + (isSameDay ? times * other.dayUsed : 0),
  };
}

/** The plan's limit stays in force while Redis is away; only Remaining shows the share. */
function withLimitOf<T extends Standing>({ limits }: Caller, decision: T): T {
  return { ...decision, limit: decision.window === 'minute' ? limits.perMinute : limits.perDay };
}
