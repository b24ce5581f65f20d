import { accountSubject } from '../../src/domain/account.ts';
import type { PeriodOfUse } from '../../src/domain/operator/usage-history.ts';
import type { Limits } from '../../src/domain/plan.ts';
import { type Decision, takeRequest, type Usage, usageAt } from '../../src/domain/rate-limit.ts';
import { anHour } from './hour-of-use.ts';

const HOUR_MS = 3_600_000;
const UNLIMITED = { perMinute: 1_000_000, perDay: 1_000_000 };

/** A request of the past. */
export interface SentRequest {
  readonly accountId: number;
  readonly keyId: number;
  readonly atMs: number;
}

/** The decisions of a limiter about these requests, in order of time. */
export function decide(requests: readonly SentRequest[], limits: Limits) {
  const usages = new Map<number, Usage>();
  return requests
    .toSorted((a, b) => a.atMs - b.atMs)
    .map((request) => {
      const { accountId: id, atMs } = request;
      const usage = usageAt(usages.get(id), accountSubject({ id, resets: 0 }), atMs);
      usages.set(id, usage);
      return { ...request, decision: takeRequest(usage, limits, atMs) };
    });
}

function minuteUsedBy(decision: Decision): number {
  return decision.refusedBy === undefined ? decision.minuteUsed : 0;
}

/** The history of these requests, in the order that readers need. */
export async function* historyOf(
  requests: readonly SentRequest[],
  limits: Limits = UNLIMITED,
): AsyncGenerator<PeriodOfUse> {
  const hours = Object.groupBy(decide(requests, limits), ({ accountId, keyId, atMs }) =>
    [accountId, Math.floor(atMs / HOUR_MS), keyId].join(),
  );
  for (const [, sent = []] of Object.entries(hours).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { accountId, keyId, atMs } = sent[0] as SentRequest;
    const count = (refusedBy?: string) =>
      sent.filter(({ decision }) => decision.refusedBy === refusedBy).length;
    yield anHour({
      accountId,
      keyId,
      startsAtMs: atMs - (atMs % HOUR_MS),
      served: count(),
      refusedByMinute: count('minute'),
      refusedByDay: count('day'),
      busiestMinute: Math.max(...sent.map(({ decision }) => minuteUsedBy(decision))),
      lastAtMs: sent.at(-1)?.atMs ?? atMs,
    });
  }
}
