import QuickLRU from 'quick-lru';
import { isAccountSubject } from '../../domain/account.ts';
import { MINUTE_SECONDS } from '../../domain/durations.ts';
import type { Limits } from '../../domain/plan.ts';
import {
  type Caller,
  type Counts,
  countsAt,
  type Decision,
  MIN_ADDRESSES,
  takeRequest,
} from '../../domain/rate-limit.ts';
import type { Report, Settlement, StoredCounts } from './counts.ts';

/** How long a request stays recent: for one to two periods, and only if others followed it soon. */
const PERIOD_MS = 2_000;
const QUIET_MS = 30_000;

/** Far more than one instance serves between two pauses of Redis. Only bounds the memory. */
const MAX_ACCOUNTS = 1_000_000;

const NO_COUNTS: StoredCounts = {
  counts: { minuteStartSeconds: 0, minuteUsed: 0, dayStartSeconds: 0, dayUsed: 0 },
  createdAt: 0,
};

/** The state of an account or address in this instance. */
interface State {
  /** The counts that Redis last reported, and the connection that it used. */
  reported: StoredCounts | undefined;
  connection: object | undefined;
  /** Requests sent to Redis in the current period and in the one before. */
  sent: number;
  sentBefore: number;
  periodStartMs: number;
  lastSentMs: number;
  /** Only from the moment Redis goes away until it decides alone again. */
  away: Away | undefined;
}

/** The counts while Redis is away, all in the same windows. */
interface Away {
  /** The counts that Redis reported before it went away, and when it created them. */
  readonly reported: Counts;
  readonly createdAt: number;
  /** Requests that were in flight then, or sent shortly before. */
  readonly recent: Counts;
  /** Requests admitted here since. */
  readonly admitted: Counts;
  /** Requests admitted here that Redis has not counted. */
  readonly unsettled: Counts;
}

/**
 * Decides in process while Redis is away. Each instance may admit its part of the quota that remained
 * at the last report from Redis.
 */
export class RemainingQuota {
  readonly #instances: number;
  readonly #accounts = new QuickLRU<string, State>({ maxSize: MAX_ACCOUNTS });
  readonly #addresses = new QuickLRU<string, State>({ maxSize: MIN_ADDRESSES });

  constructor(instances: number) {
    this.#instances = instances;
  }

  /** Call it before a request is sent to Redis. */
  send(subject: string, nowMs: number): void {
    const state = this.#state(subject);
    if (isQuiet(state, nowMs)) {
      state.sent = 0;
      state.sentBefore = 0;
      state.periodStartMs = nowMs;
    }
    state.sent++;
    state.lastSentMs = nowMs;
  }

  /** The last counts, before the first report of a connection: Redis may have lost data since. */
  countsBefore(connection: object, subject: string): StoredCounts | undefined {
    const state = this.#state(subject);
    return state.connection === connection ? undefined : (state.reported ?? NO_COUNTS);
  }

  report(subject: string, report: Report, connection: object): void {
    const { nowMs } = report;
    const state = this.#state(subject);
    state.reported = report;
    state.connection = connection;
    // Periods end only with a report: what is sent while Redis is silent stays recent.
    if (Math.abs(nowMs - state.periodStartMs) >= PERIOD_MS) {
      state.sentBefore = state.sent;
      state.sent = 0;
      state.periodStartMs = nowMs;
    }
  }

  /** `isCounted`: Redis counts the request too. */
  take(caller: Caller, nowMs: number, isCounted = false): Decision {
    const { away, limits } = this.#remaining(caller, nowMs);
    const decision = withLimitOf(caller, takeRequest(away.admitted, limits, nowMs));
    if (decision.refusedBy === undefined) {
      if (isCounted) return decision;
      away.unsettled.minuteUsed++;
      away.unsettled.dayUsed++;
      return decision;
    }
    if (away.reported.dayUsed >= caller.perDay) return decision;
    // The part of a day may be used up long before the day's limit, and Redis may be back soon.
    const retryAfterSeconds = Math.min(decision.retryAfterSeconds, MINUTE_SECONDS);
    return { ...decision, retryAfterSeconds };
  }

  /** What the counts in Redis may lack. First those with requests that were admitted here. */
  unsettled(): Settlement[] {
    const withRequests: Settlement[] = [];
    const others: Settlement[] = [];
    for (const [subject, { away }] of this.#all()) {
      if (away === undefined) continue;
      const known = { counts: away.reported, createdAt: away.createdAt };
      const settlement = { subject, known, admitted: { ...away.unsettled } };
      (settlement.admitted.dayUsed > 0 ? withRequests : others).push(settlement);
    }
    return [...withRequests, ...others];
  }

  /** Redis has counted what was admitted here. */
  settle(subject: string, report: Report, connection: object): void {
    this.report(subject, report, connection);
    const { away } = this.#state(subject);
    if (away === undefined) return;
    away.unsettled.minuteUsed = 0;
    away.unsettled.dayUsed = 0;
  }

  /** Redis decides alone again. */
  endAway(): void {
    for (const [, state] of this.#all()) state.away = undefined;
  }

  *#all(): Generator<[string, State]> {
    yield* this.#accounts;
    yield* this.#addresses;
  }

  #state(subject: string): State {
    const states = isAccountSubject(subject) ? this.#accounts : this.#addresses;
    let state = states.get(subject);
    if (state === undefined) {
      state = {
        reported: undefined,
        connection: undefined,
        sent: 0,
        sentBefore: 0,
        periodStartMs: 0,
        lastSentMs: 0,
        away: undefined,
      };
      states.set(subject, state);
    }
    return state;
  }

  /** The counts since Redis is away, and the limits of this instance for them. */
  #remaining(caller: Caller, nowMs: number): { away: Away; limits: Limits } {
    const { subject } = caller;
    const state = this.#state(subject);
    const away = awayAt(state.away ?? beginAway(state, subject, nowMs), subject, nowMs);
    state.away = away;
    const { reported, recent } = away;
    const perMinute = this.#part(caller.perMinute, reported.minuteUsed, recent.minuteUsed);
    const perDay = this.#part(caller.perDay, reported.dayUsed, recent.dayUsed);
    return { away, limits: { perMinute, perDay } };
  }

  /**
   * After its last report to this instance, Redis may have counted requests of the others. They are
   * probably about as busy as this one, so as many as it sent recently are left out of its part.
   */
  #part(limit: number, used: number, recent: number): number {
    if (this.#instances === 1) return Math.max(0, limit - used);
    const part = Math.floor((limit - used) / this.#instances);
    // Many instances must not shut anyone out of a window that is still unused.
    return Math.max(0, (used === 0 ? Math.max(1, part) : part) - recent);
  }
}

function isQuiet({ lastSentMs }: State, nowMs: number): boolean {
  return Math.abs(nowMs - lastSentMs) > QUIET_MS;
}

function beginAway(state: State, subject: string, nowMs: number): Away {
  const reported = countsAt(state.reported?.counts, subject, nowMs);
  const createdAt = state.reported?.createdAt ?? 0;
  const recent = isQuiet(state, nowMs) ? 0 : state.sent + state.sentBefore;
  const both = (used: number): Counts => ({ ...reported, minuteUsed: used, dayUsed: used });
  return { reported, createdAt, recent: both(recent), admitted: both(0), unsettled: both(0) };
}

function awayAt(away: Away, subject: string, nowMs: number): Away {
  const at = (counts: Counts) => countsAt(counts, subject, nowMs);
  return {
    createdAt: away.createdAt,
    reported: at(away.reported),
    recent: at(away.recent),
    admitted: at(away.admitted),
    unsettled: at(away.unsettled),
  };
}

/** The plan's limit stays in force while Redis is away; only Remaining shows the part. */
function withLimitOf(caller: Caller, decision: Decision): Decision {
  return { ...decision, limit: decision.window === 'minute' ? caller.perMinute : caller.perDay };
}
