import { daysUntil, GET_PET_DEPRECATION } from '#contract/api.ts';
import { startOfDay } from '#domain/durations.ts';
import { callersOf, requestsOf, type UsagePeriod } from '#domain/operator/history.ts';
import { brownoutJson, callerJson } from '#domain/operator/operator-json.ts';
import { formatTime } from '#domain/time-text.ts';
import type { ConsoleRoutes, ConsoleSources } from './call.ts';
import { cached, recentDays } from './history.ts';

const OPERATION = 'getPet';
const MAX_CALLERS = 500;

export function deprecationRoutes({ store, brownouts, now }: ConsoleSources) {
  const { accounts, history } = store;
  const removedAtMs = GET_PET_DEPRECATION.removedAt.getTime();

  /** Cached for a minute, because it reads the whole history. */
  const readUsage = cached(60_000, now, async () => {
    const requests = new Map<number, number>();
    const periods = countDays(history.read({ operation: OPERATION, sinceMs: 0 }), requests);
    const all = await callersOf(periods, now());
    const most = all.slice(0, MAX_CALLERS);
    const keys = await accounts.listKeys(most.map(({ accountId }) => accountId));
    const byId = new Map(keys.map((key) => [key.id, key]));
    const callers = most.map((caller) => callerJson(caller, byId.get(caller.keyId)));
    const trend = recentDays(now()).map((day) => requests.get(day) ?? 0);
    return { callers, callerCount: all.length, trend };
  });

  return {
    async 'GET /api/deprecations'() {
      return {
        operation: OPERATION,
        removedAt: formatTime(removedAtMs),
        daysLeft: daysUntil(removedAtMs, now()),
        ...(await readUsage()),
        brownouts: brownouts.map((each) => brownoutJson(each, now())),
      };
    },
  } satisfies ConsoleRoutes;
}

/** Passes the periods on, and adds their requests to those of their days. */
async function* countDays(periods: AsyncIterable<UsagePeriod>, requests: Map<number, number>) {
  for await (const period of periods) {
    const day = startOfDay(period.startsAtMs);
    requests.set(day, requests.getOrInsert(day, 0) + requestsOf(period));
    yield period;
  }
}
