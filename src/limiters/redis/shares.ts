import QuickLRU from 'quick-lru';
import { isAccountSubject } from '../../domain/account.ts';
import { MINUTE_SECONDS } from '../../domain/durations.ts';
import type { Limits } from '../../domain/plan.ts';
import {
  type Caller,
  type Decision,
  isUsageOver,
  MIN_ADDRESSES,
  type Quota,
  quotaOf,
  takeRequest,
  type Usage,
  usageAt,
} from '../../domain/rate-limit.ts';
import type { Counts, Report, Settlement } from './take-script.ts';

/** How long a request stays recent: for one to two periods, and only if others followed it soon. */
const PERIOD_MS = 2_000;
const QUIET_MS = 30_000;

/** The counts of a subject while Redis is away, all in the same windows. */
interface Away {
  /** Those that Redis had reported when it went away, and when it created them. */
  readonly reported: Usage;
  readonly createdAt: number;
  /** Requests that were in flight then, or sent shortly before. */
  readonly recent: Usage;
  /** Requests admitted here since. */
  readonly admitted: Usage;
  /** Those of them that Redis has not counted since it returned. */
  readonly unsettled: Usage;
}

/** The windows in which a request was taken from the share. */
type Windows = Pick<Usage, 'minuteStartSeconds' | 'dayStartSeconds'>;

/** The state of one subject in this instance. */
interface Subject {
  /** The counts that Redis last reported, and the connection that it used. */
  reported: Counts | undefined;
  connection: object | undefined;
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

  /** The last counts, if another connection reported them: Redis may have lost its data since. */
  countsBefore(connection: object, name: string): Counts | undefined {
    const subject = this.#subject(name);
    return subject.connection === connection ? undefined : subject.reported;
  }

  /** `isTestTime`: the day of the report is one of its account alone. */
  report(
    name: string,
    { usage, createdAt, nowMs }: Report,
    connection: object,
    isTestTime = false,
  ): void {
    const subject = this.#subject(name);
    subject.reported = { usage, createdAt };
    subject.connection = connection;
    // Periods end only with a report: what is sent while Redis is silent stays recent.
    if (Math.abs(nowMs - subject.periodStartMs) >= PERIOD_MS) {
      subject.sentBefore = subject.sent;
      subject.sent = 0;
      subject.periodStartMs = nowMs;
    }
    const isNewDay = !isTestTime && usage.dayStartSeconds > this.#dayStartSeconds;
    if (isNewDay) this.#beginDay(usage, nowMs);
  }

  take(caller: Caller, nowMs: number): { readonly decision: Decision; readonly windows: Windows } {
    const { away, share } = this.#shareAt(caller, nowMs);
    const { minuteStartSeconds, dayStartSeconds } = away.unsettled;
    const windows = { minuteStartSeconds, dayStartSeconds };
    const decision = withLimitOf(caller, takeRequest(away.admitted, share, nowMs));
    if (decision.refusedBy === undefined) {
      away.unsettled.minuteUsed++;
      away.unsettled.dayUsed++;
      return { decision, windows };
    }
    if (away.reported.dayUsed >= caller.limits.perDay) return { decision, windows };
    // The share of a day may be used up long before the day's limit, and Redis may be back soon.
    const retryAfterSeconds = Math.min(decision.retryAfterSeconds, MINUTE_SECONDS);
    return { decision: { ...decision, retryAfterSeconds }, windows };
  }

  peek(caller: Caller, nowMs: number): Quota {
    const { away, share } = this.#shareAt(caller, nowMs);
    return withLimitOf(caller, quotaOf(away.admitted, share));
  }

  /** The subjects decided here while Redis was away, with what its counts lack. */
  *unsettled(): Generator<[string, Settlement]> {
    for (const [name, { away }] of this.#all()) {
      if (away === undefined) continue;
      const known = { usage: away.reported, createdAt: away.createdAt };
      yield [name, { known, admitted: { ...away.unsettled } }];
    }
  }

  /** Redis has counted what was admitted here. */
  settle(name: string, { admitted }: Settlement, report: Report, connection: object): void {
    this.report(name, report, connection);
    this.#subtractUnsettled(name, admitted);
  }

  /** Redis has decided a request that was also taken from the share. */
  settleOne(name: string, windows: Windows): void {
    this.#subtractUnsettled(name, { ...windows, minuteUsed: 1, dayUsed: 1 });
  }

  /** Redis decides alone again. */
  endAway(): void {
    for (const [, subject] of this.#all()) subject.away = undefined;
  }

  *#all(): Generator<[string, Subject]> {
    yield* this.#accounts;
    yield* this.#addresses;
  }

  #subject(name: string): Subject {
    const subjects = isAccountSubject(name) ? this.#accounts : this.#addresses;
    let subject = subjects.get(name);
    if (subject === undefined) {
      subject = {
        ...{ reported: undefined, connection: undefined, away: undefined },
        ...{ sent: 0, sentBefore: 0, periodStartMs: 0, lastSentMs: 0 },
      };
      subjects.set(name, subject);
    }
    return subject;
  }

  /** Only in the same windows: the clock may have moved on, or back. */
  #subtractUnsettled(name: string, settled: Usage): void {
    const unsettled = this.#subject(name).away?.unsettled;
    if (unsettled === undefined) return;
    const isSameMinute = unsettled.minuteStartSeconds === settled.minuteStartSeconds;
    if (isSameMinute) unsettled.minuteUsed -= settled.minuteUsed;
    const isSameDay = unsettled.dayStartSeconds === settled.dayStartSeconds;
    if (isSameDay) unsettled.dayUsed -= settled.dayUsed;
  }

  #shareAt({ subject: name, limits }: Caller, nowMs: number): { away: Away; share: Limits } {
    const subject = this.#subject(name);
    const away = awayAt(subject.away ?? beginAway(subject, name, nowMs), name, nowMs);
    subject.away = away;
    const { reported, recent } = away;
    const perMinute = this.#share(limits.perMinute, reported.minuteUsed, recent.minuteUsed);
    const perDay = this.#share(limits.perDay, reported.dayUsed, recent.dayUsed);
    return { away, share: { perMinute, perDay } };
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
      const isOver = subject.reported === undefined || isUsageOver(subject.reported.usage, nowMs);
      // The requests of an account that is not idle may be in flight, and must stay recent.
      const isIdle = subject.away === undefined && isQuiet(subject, nowMs);
      if (isOver && isIdle) this.#accounts.delete(name);
    }
  }
}

function isQuiet({ lastSentMs }: Subject, nowMs: number): boolean {
  return Math.abs(nowMs - lastSentMs) > QUIET_MS;
}

function beginAway(subject: Subject, name: string, nowMs: number): Away {
  const reported = usageAt(subject.reported?.usage, name, nowMs);
  const createdAt = subject.reported?.createdAt ?? 0;
  const recent = isQuiet(subject, nowMs) ? 0 : subject.sent + subject.sentBefore;
  const counts = (used: number): Usage => ({ ...reported, minuteUsed: used, dayUsed: used });
  return { reported, createdAt, recent: counts(recent), admitted: counts(0), unsettled: counts(0) };
}

function awayAt(away: Away, name: string, nowMs: number): Away {
  const { reported, createdAt, recent, admitted, unsettled } = away;
  const at = (usage: Usage) => usageAt(usage, name, nowMs);
  return {
    createdAt,
    reported: at(reported),
    recent: at(recent),
    admitted: at(admitted),
    unsettled: at(unsettled),
  };
}

/** The plan's limit stays in force while Redis is away; only Remaining shows the share. */
function withLimitOf<T extends Quota>({ limits }: Caller, decision: T): T {
  return { ...decision, limit: decision.window === 'minute' ? limits.perMinute : limits.perDay };
}
