import QuickLRU from 'quick-lru';
import { isAccountSubject } from '#domain/account.ts';
import { MINUTE_SECONDS } from '#domain/durations.ts';
import {
  type Caller,
  type Counts,
  countsAt,
  type Decision,
  lastKnownQuota,
  MIN_ADDRESSES,
  type Quota,
  takeRequest,
} from '#domain/rate-limit.ts';
import { NO_COUNTS, type Report, type Settlement } from './counts.ts';

/**
 * A request that was sent to Redis stays recent for one to two periods. If the caller sends nothing for
 * `QUIET_MS`, none of its requests is recent any more.
 */
const PERIOD_MS = 2_000;
const QUIET_MS = 30_000;

/** Limits the memory. One instance serves far fewer accounts between two outages of Redis. */
const MAX_ACCOUNTS = 1_000_000;

/** The number of accounts and addresses that are looked at in one turn of the event loop. */
const SLICE = 2_000;
/** Greater than the logarithm of every count. */
const MOST_URGENT = 64;

/** Everything that this instance knows of an account or address. */
interface State {
  /** The counts that Redis last reported, and the connection on which it has them. */
  reported: Report | undefined;
  connection: object | undefined;
  /** Requests sent to Redis in the current period and in the one before. */
  sent: number;
  sentBefore: number;
  periodStartMs: number;
  lastSentMs: number;
  /** Set only from the moment at which Redis goes away until Redis decides alone again. */
  away: Away | undefined;
  /** The number of the outage that `away` belongs to. `away` is no longer valid in any other outage. */
  outage: number;
}

/** The counts of an account or address while Redis is away, all in the same windows. */
interface Away {
  /** The counts that Redis reported before it went away. */
  readonly reported: Counts;
  /** Requests that were in flight at that moment, or had been sent shortly before. */
  readonly recent: Counts;
  /** Requests admitted here since. */
  readonly admitted: Counts;
  /** Requests admitted here that Redis has not counted. */
  readonly unsettled: Counts;
}

/**
 * Decides in process while Redis is away. Each instance may admit its share of the quota that remained at
 * the last report from Redis.
 */
export class RemainingQuota {
  readonly #accounts = new QuickLRU<string, State>({ maxSize: MAX_ACCOUNTS });
  readonly #addresses = new QuickLRU<string, State>({ maxSize: MIN_ADDRESSES });
  /** Counts the outages of Redis, so that the end of an outage does not have to change every state. */
  #outage = 0;

  constructor(private readonly instances: number) {}

  /** Must be called before a request is sent to Redis. */
  recordSent(subject: string, nowMs: number): void {
    const state = this.#state(subject);
    if (isQuiet(state, nowMs)) {
      state.sent = 0;
      state.sentBefore = 0;
      state.periodStartMs = nowMs;
    }
    state.sent++;
    state.lastSentMs = nowMs;
  }

  recordReport(subject: string, report: Report, connection: object): void {
    const { nowMs } = report;
    const state = this.#state(subject);
    state.reported = report;
    state.connection = connection;
    // A period ends only with a report, so requests that are sent while Redis is silent stay recent.
    if (Math.abs(nowMs - state.periodStartMs) >= PERIOD_MS) {
      state.sentBefore = state.sent;
      state.sent = 0;
      state.periodStartMs = nowMs;
    }
  }

  /** `isCounted` means that Redis counts the request as well, so that it must not be settled later. */
  take(caller: Caller, nowMs: number, isCounted = false): Decision {
    const { subject, perMinute, perDay } = caller;
    const state = this.#state(subject);
    const away = awayAt(state.away ?? beginAway(state, subject, nowMs), subject, nowMs);
    state.away = away;
    const { reported, recent, admitted, unsettled } = away;
    const share = {
      perMinute: this.#share(perMinute, reported.minuteUsed, recent.minuteUsed),
      perDay: this.#share(perDay, reported.dayUsed, recent.dayUsed),
    };
    // Headers show the limits of the plan. Only the remaining requests show the share.
    const decision = takeRequest(admitted, share, nowMs, caller);
    if (decision.refusedBy === undefined) {
      if (isCounted) return decision;
      unsettled.minuteUsed++;
      unsettled.dayUsed++;
      return decision;
    }
    if (reported.dayUsed >= perDay) return decision;
    // The share of a day may be used up long before the limit of the day, and Redis may be back soon.
    const retryAfterSeconds = Math.min(decision.retryAfterSeconds, MINUTE_SECONDS);
    return { ...decision, retryAfterSeconds };
  }

  /** Uses the last report from Redis, also while Redis is away. */
  peek(caller: Caller, nowMs: number): Quota {
    const known = this.#statesOf(caller.subject).peek(caller.subject)?.reported;
    return lastKnownQuota(known?.counts, caller, nowMs);
  }

  /**
   * Lists the accounts and addresses whose counts Redis may lack. Those with requests that were admitted
   * here come first. In a new run of Redis, all others with a count in a current window follow, the fullest
   * first. They are grouped by the logarithm of the count, because sorting them all would take too long.
   */
  async unsettled(isNewRun: boolean, nowMs: number): Promise<string[]> {
    const byUrgency: string[][] = [];
    let place = 0;
    for (const states of [this.#accounts, this.#addresses]) {
      for (const [subject, { away, reported }] of states) {
        if (++place % SLICE === 0) await new Promise(setImmediate);
        const isAdmitted = mostUsed(away?.unsettled, subject, nowMs) > 0;
        const used = isNewRun ? mostUsed(reported?.counts, subject, nowMs) : 0;
        const urgency = isAdmitted ? MOST_URGENT : Math.ceil(Math.log2(used + 1));
        if (urgency === 0) continue;
        byUrgency[urgency] ??= [];
        byUrgency[urgency].push(subject);
      }
    }
    return byUrgency.reverse().flat();
  }

  /** Returns what Redis may lack of an account or address, or undefined if it has everything already. */
  settlement(subject: string, connection: object): Settlement | undefined {
    const state = this.#state(subject);
    if (state.connection === connection) return undefined;
    state.connection = connection;
    const { away, reported: known = NO_COUNTS } = state;
    return { subject, known, admitted: away?.unsettled ?? NO_COUNTS.counts };
  }

  /** Records that Redis has counted what was admitted here. */
  settle(subject: string, report: Report, connection: object): void {
    this.recordReport(subject, report, connection);
    const { away } = this.#state(subject);
    if (away === undefined) return;
    away.unsettled.minuteUsed = 0;
    away.unsettled.dayUsed = 0;
  }

  /** Ends an outage: Redis decides alone again. */
  endAway(): void {
    this.#outage++;
  }

  #statesOf(subject: string): QuickLRU<string, State> {
    return isAccountSubject(subject) ? this.#accounts : this.#addresses;
  }

  #state(subject: string): State {
    const states = this.#statesOf(subject);
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
        outage: this.#outage,
      };
      states.set(subject, state);
    }
    if (state.outage !== this.#outage) state.away = undefined;
    state.outage = this.#outage;
    return state;
  }

  /**
   * The share of this instance in a window. Since its last report to this instance, Redis may have counted
   * requests of the other instances. These are probably about as busy as this one, so the share is reduced
   * by as many requests as this instance has sent recently.
   */
  #share(limit: number, used: number, recent: number): number {
    if (this.instances === 1) return Math.max(0, limit - used);
    const share = Math.floor((limit - used) / this.instances);
    // With many instances a share may round down to 0. An unused window admits at least one request.
    return Math.max(0, (used === 0 ? Math.max(1, share) : share) - recent);
  }
}

/** The larger of the two counts in the windows at `nowMs`. */
function mostUsed(counts: Counts | undefined, subject: string, nowMs: number): number {
  if (counts === undefined) return 0;
  const { minuteUsed, dayUsed } = countsAt(counts, subject, nowMs);
  return Math.max(minuteUsed, dayUsed);
}

function isQuiet({ lastSentMs }: State, nowMs: number): boolean {
  return Math.abs(nowMs - lastSentMs) > QUIET_MS;
}

function beginAway(state: State, subject: string, nowMs: number): Away {
  const reported = countsAt(state.reported?.counts, subject, nowMs);
  const recent = isQuiet(state, nowMs) ? 0 : state.sent + state.sentBefore;
  const both = (used: number): Counts => ({ ...reported, minuteUsed: used, dayUsed: used });
  return { reported, recent: both(recent), admitted: both(0), unsettled: both(0) };
}

function awayAt(away: Away, subject: string, nowMs: number): Away {
  const at = (counts: Counts) => countsAt(counts, subject, nowMs);
  return {
    reported: at(away.reported),
    recent: at(away.recent),
    admitted: at(away.admitted),
    unsettled: at(away.unsettled),
  };
}
