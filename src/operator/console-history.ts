import { dayOf } from '../contract/deprecation.ts';
import { refusalsOf } from '../domain/usage-history.ts';
import { queryNumber } from './console-query.ts';
import { type ConsoleRoutes, json } from './console-route.ts';
import type { RecentUse } from './recent-use.ts';

export function historyRoutes(recentUse: RecentUse): ConsoleRoutes {
  return {
    '/api/history': {
      async GET({ query }) {
        const days = recentUse.days();
        const range = { from: 1, to: days.length, fallback: days.length };
        const shown = days.slice(-queryNumber(query, 'days', range));
        const { byDay } = await recentUse.totals();
        return json({
          days: shown.map((dayMs) => {
            const counts = byDay.get(dayMs);
            return {
              day: dayOf(new Date(dayMs)),
              served: counts?.served ?? 0,
              refused: counts === undefined ? 0 : refusalsOf(counts),
              clientErrors: counts?.clientErrors ?? 0,
              serverErrors: counts?.serverErrors ?? 0,
            };
          }),
        });
      },
    },
  };
}
