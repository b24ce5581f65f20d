import { type FailedRequests, failedRequestRoutes } from '#operator/failed-requests.ts';
import type { Live } from '#operator/live.ts';
import { accountRoutes } from './accounts.ts';
import { auditRoutes } from './audit.ts';
import type { ConsoleRoutes, ConsoleSources } from './call.ts';
import { deprecationRoutes } from './deprecations.ts';
import { historyRoutes, totalsReader } from './history.ts';
import { keyRoutes } from './keys.ts';
import { petRoutes } from './pets.ts';

export function consoleRoutes(
  live: Live,
  failed: FailedRequests,
  sources: ConsoleSources,
): ConsoleRoutes {
  const readTotals = totalsReader(sources);
  return {
    ...live.routes,
    ...failedRequestRoutes(failed),
    ...historyRoutes(sources, readTotals),
    ...accountRoutes(sources, readTotals),
    ...keyRoutes(sources),
    ...petRoutes(sources),
    ...deprecationRoutes(sources),
    ...auditRoutes(sources),
  };
}
