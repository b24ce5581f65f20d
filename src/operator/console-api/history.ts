import type * as Api from '../../contract/console-api.ts';
import { noRequests, refusalsOf } from '../../domain/operator/usage-history.ts';
import { formatDay } from '../../domain/time-text.ts';
import { queryNumber } from './query.ts';
import type { RecentUse } from './recent-use.ts';
import { type ConsoleRoutes, json } from './route.ts';

export function historyRoutes(recentUse: RecentUse): ConsoleRoutes {
  return {
    '/api/history': {
      async GET({ query }) {
        const days = recentUse.days();
        const range = { from: 1, to: days.length, fallback: days.length };
        const shown = days.slice(-queryNumber(query, 'days', range));
        const { byDay } = await recentUse.totals();
        return json<Api.History>({
          days: shown.map((dayMs) => {
            const counts = byDay.get(dayMs) ?? noRequests();
            const { served, clientErrors, serverErrors } = counts;
            const refused = refusalsOf(counts);
            return { day: formatDay(dayMs), served, refused, clientErrors, serverErrors };
          }),
        });
      },
    },
  };
}
