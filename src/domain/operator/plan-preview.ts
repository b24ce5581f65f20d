import { accountSubject } from '../account.ts';
import { DAY_MS, MINUTE_SECONDS, startOfDay } from '../durations.ts';
import { OperatorError } from '../error.ts';
import type { Limits } from '../plan.ts';
import { minuteOffsetSeconds } from '../rate-limit.ts';
import {
  addSlots,
  type HistoryReader,
  HOURS_KEPT_DAYS,
  type PeriodOfUse,
  refusalsOf,
  requestsOf,
  SLOTS_PER_HOUR,
} from './usage-history.ts';

/** What other limits would have done to the requests that an account sent. */
export interface LimitsPreview {
  readonly accountId: number;
  /** All that were sent, those that were refused included. */
  requests: number;
  refused: number;
  /** Those that were refused in fact, by a limit or a ban. */
  refusedInFact: number;
  /** The window that would have refused the most. */
  worst: FullWindow | undefined;
}

interface FullWindow {
  readonly window: 'minute' | 'day';
  readonly startsAtMs: number;
  requests: number;
  refused: number;
}

/** The start of that day: a preview of days needs whole ones. Throws `OperatorError` if it is too early. */
export function previewStart(sinceMs: number, nowMs: number): number {
  if (nowMs - sinceMs > HOURS_KEPT_DAYS * DAY_MS) {
    throw new OperatorError(
      `A preview needs the requests of each minute, which are kept for ${HOURS_KEPT_DAYS} days.`,
    );
  }
  return startOfDay(sinceMs);
}

/**
 * Sends the requests of the past through other limits, account by account. Requires periods in the
 * order of account and start, from the start of a day (UTC), and ignores days, which have no minutes.
 */
export async function* previewLimits(
  periods: AsyncIterable<PeriodOfUse>,
  limitsOf: (accountId: number) => Limits | undefined,
): AsyncGenerator<LimitsPreview> {
  let account: PreviewedAccount | undefined;
  for await (const period of periods) {
    const { accountId, slots } = period;
    if (accountId !== account?.preview.accountId) {
      if (account !== undefined) yield account.end();
      const limits = limitsOf(accountId);
      account = limits && new PreviewedAccount(accountId, limits);
    }
    if (slots !== undefined) account?.add(period, slots);
  }
  if (account !== undefined) yield account.end();
}

/** The same for one account. */
export async function previewAccount(
  history: HistoryReader,
  accountId: number,
  limits: Limits,
  sinceMs: number,
): Promise<LimitsPreview> {
  const periods = history.read({ accountIds: [accountId], sinceMs });
  const [preview] = await Array.fromAsync(previewLimits(periods, () => limits));
  return preview ?? noPreview(accountId);
}

/** Of an account without requests. */
function noPreview(accountId: number): LimitsPreview {
  return { accountId, requests: 0, refused: 0, refusedInFact: 0, worst: undefined };
}

class PreviewedAccount {
  readonly preview: LimitsPreview;
  readonly #limits: Limits;
  readonly #offsetSeconds: number;
  /** The hour that is being added up, over keys and operations. */
  #hourMs = 0;
  readonly #slots = new Array<number>(SLOTS_PER_HOUR).fill(0);
  #minute: FullWindow | undefined;
  #day: FullWindow | undefined;
  #minuteAdmitted = 0;
  #dayAdmitted = 0;

  constructor(accountId: number, limits: Limits) {
    this.preview = noPreview(accountId);
    this.#limits = limits;
    this.#offsetSeconds = minuteOffsetSeconds(accountSubject({ id: accountId, resets: 0 }));
  }

  add(period: PeriodOfUse, slots: readonly number[]): void {
    if (period.startsAtMs !== this.#hourMs) {
      this.#send();
      this.#hourMs = period.startsAtMs;
    }
    addSlots(this.#slots, slots);
    this.preview.requests += requestsOf(period);
    this.preview.refusedInFact += refusalsOf(period);
  }

  end(): LimitsPreview {
    this.#send();
    return this.preview;
  }

  /** Sends the requests of the hour. */
  #send(): void {
    const dayStartMs = startOfDay(this.#hourMs);
    this.#slots.forEach((requests, slot) => {
      if (requests === 0) return;
      const minuteSeconds = this.#offsetSeconds + (slot - 1) * MINUTE_SECONDS;
      this.#take(requests, this.#hourMs + minuteSeconds * 1000, dayStartMs);
    });
    this.#slots.fill(0);
  }

  #take(requests: number, minuteStartMs: number, dayStartMs: number): void {
    if (this.#day?.startsAtMs !== dayStartMs) {
      this.#day = { window: 'day', startsAtMs: dayStartMs, requests: 0, refused: 0 };
      this.#dayAdmitted = 0;
    }
    if (this.#minute?.startsAtMs !== minuteStartMs) {
      this.#minute = { window: 'minute', startsAtMs: minuteStartMs, requests: 0, refused: 0 };
      this.#minuteAdmitted = 0;
    }
    const dayLeft = this.#limits.perDay - this.#dayAdmitted;
    const minuteLeft = this.#limits.perMinute - this.#minuteAdmitted;
    const admitted = Math.min(requests, minuteLeft, dayLeft);
    this.#dayAdmitted += admitted;
    this.#minuteAdmitted += admitted;
    this.#day.requests += requests;
    this.#minute.requests += requests;

    // Requests that find both windows full are refused by the day, which ends later.
    const full = dayLeft <= minuteLeft ? this.#day : this.#minute;
    full.refused += requests - admitted;
    this.preview.refused += requests - admitted;
    if (full.refused > (this.preview.worst?.refused ?? 0)) this.preview.worst = full;
  }
}
