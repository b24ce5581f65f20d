import { startOfDay } from '../durations.ts';
import type { Limits } from '../plan.ts';
import { type HistoryReader, type PeriodOfUse, refusalsOf, requestsOf } from './usage-history.ts';

/** What other limits would have done to the requests that an account sent. */
export interface LimitsPreview {
  readonly accountId: number;
  /** Includes those that were refused. */
  requests: number;
  /** At least: the history has one minute of an hour, without the requests that were refused. */
  refused: number;
  /** Those that were refused in fact, by a limit or a ban. */
  refusedInFact: number;
  /** The window that would have refused the most. */
  worst: FullWindow | undefined;
}

interface FullWindow {
  readonly window: 'minute' | 'day';
  readonly dayMs: number;
  /** Those that were not refused in fact. */
  readonly requests: number;
  readonly refused: number;
}

/**
 * Compares the past with other limits, account by account. Requires periods in the order of account,
 * from the start of a day (UTC).
 */
export async function* previewLimits(
  periods: AsyncIterable<PeriodOfUse>,
  limitsOf: (accountId: number) => Limits | undefined,
): AsyncGenerator<LimitsPreview> {
  let account: PreviewedAccount | undefined;
  for await (const period of periods) {
    const { accountId } = period;
    if (accountId !== account?.accountId) {
      if (account !== undefined) yield account.end();
      const limits = limitsOf(accountId);
      account = limits && new PreviewedAccount(accountId, limits);
    }
    account?.add(period);
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
  return preview ?? new PreviewedAccount(accountId, limits).end();
}

class PreviewedAccount {
  readonly accountId: number;
  readonly #limits: Limits;
  #requests = 0;
  #refusedInFact = 0;
  /** The requests of each day that were not refused. */
  readonly #days = new Map<number, number>();
  #busiest = { dayMs: 0, requests: 0 };

  constructor(accountId: number, limits: Limits) {
    this.accountId = accountId;
    this.#limits = limits;
  }

  add(period: PeriodOfUse): void {
    const { startsAtMs, busiestMinute } = period;
    const dayMs = startOfDay(startsAtMs);
    const requests = requestsOf(period);
    const refused = refusalsOf(period);
    this.#requests += requests;
    this.#refusedInFact += refused;
    this.#days.set(dayMs, (this.#days.get(dayMs) ?? 0) + requests - refused);
    if (busiestMinute > this.#busiest.requests) this.#busiest = { dayMs, requests: busiestMinute };
  }

  end(): LimitsPreview {
    const { perMinute, perDay } = this.#limits;
    const days = Array.from(this.#days, ([dayMs, requests]) => ({
      window: 'day' as const,
      dayMs,
      requests,
      refused: Math.max(0, requests - perDay),
    }));
    const { dayMs, requests } = this.#busiest;
    const refused = Math.max(0, requests - perMinute);
    const minute = { window: 'minute' as const, dayMs, requests, refused };
    const byDays = days.reduce((sum, day) => sum + day.refused, 0);
    const [worst] = [minute, ...days].sort((a, b) => b.refused - a.refused);
    return {
      accountId: this.accountId,
      requests: this.#requests,
      // Not the sum: a request that one window refuses does not count in the other.
      refused: Math.max(refused, byDays),
      refusedInFact: this.#refusedInFact,
      worst: worst?.refused ? worst : undefined,
    };
  }
}
