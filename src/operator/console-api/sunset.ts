import type * as Api from '../../contract/console-api.ts';
import type { OperatorStore } from '../../domain/backend.ts';
import type { Brownout } from '../../domain/brownout.ts';
import { NotFoundError } from '../../domain/error.ts';
import { callersOf, type OperationCaller } from '../../domain/operator/operation-callers.ts';
import { brownoutJson, callerJson } from '../../domain/operator/operator-json.ts';
import { type PeriodOfUse, requestsOf } from '../../domain/operator/usage-history.ts';
import { formatDay } from '../../domain/time-text.ts';
import { Fresh } from './fresh.ts';
import type { RecentUse } from './recent-use.ts';
import { type ConsoleRoutes, json } from './route.ts';
import { removal } from './session.ts';

const MAX_CALLERS = 500;
/** Reads at once, so that requests of callers still find a free connection. */
const READS_AT_ONCE = 5;

export function sunsetRoutes(
  { accounts, history }: OperatorStore,
  brownouts: readonly Brownout[],
  recentUse: RecentUse,
  now: () => number,
): ConsoleRoutes {
  const { operation } = removal(0);
  /** Reads the whole history, so it is kept for a minute. */
  const use = new Fresh(60_000, now, async () => {
    const days = new Map(recentUse.days().map((dayMs) => [formatDay(dayMs), 0]));
    const periods = countDays(history.read({ operation, sinceMs: 0 }), days);
    const callers = (await callersOf(periods, now())).slice(0, MAX_CALLERS);
    return {
      callers: await inParts(callers, describeCaller),
      trend: Array.from(days, ([day, requests]) => ({ day, requests })),
    };
  });

  async function describeCaller(caller: OperationCaller) {
    const key = await accounts.getKey(caller.keyId).catch((error) => {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    });
    return callerJson(caller, key);
  }

  return {
    '/api/sunset': {
      async GET() {
        return json<Api.Sunset>({
          ...removal(now()),
          ...(await use.get()),
          brownouts: brownouts.map((each) => brownoutJson(each, now())),
        });
      },
    },
  };
}

/** Counts the requests of each known day on the way. */
async function* countDays(periods: AsyncIterable<PeriodOfUse>, days: Map<string, number>) {
  for await (const period of periods) {
    const day = formatDay(period.startsAtMs);
    const requests = days.get(day);
    if (requests !== undefined) days.set(day, requests + requestsOf(period));
    yield period;
  }
}

async function inParts<T, R>(items: readonly T[], read: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += READS_AT_ONCE) {
    const part = items.slice(start, start + READS_AT_ONCE);
    results.push(...(await Promise.all(part.map(read))));
  }
  return results;
}
