import { type FailedRequests, failedRequestRoutes } from '#operator/failed-requests.ts';
import { accountRoutes } from './accounts.ts';
import { auditRoutes } from './audit.ts';
import type { ConsoleSources } from './call.ts';
import { deprecationRoutes } from './deprecations.ts';
import { historyRoutes, totalsReader } from './history.ts';
import { keyRoutes } from './keys.ts';
import { petRoutes } from './pets.ts';

export function consoleRoutes(failed: FailedRequests, sources: ConsoleSources) {
  const readTotals = totalsReader(sources);
  return {
    ...failedRequestRoutes(failed),
    ...historyRoutes(sources, readTotals),
    ...accountRoutes(sources, readTotals),
    ...keyRoutes(sources),
    ...petRoutes(sources),
    ...deprecationRoutes(sources),
    ...auditRoutes(sources),
  };
}
