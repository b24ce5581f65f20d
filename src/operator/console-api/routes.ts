import { type FailedRequests, failedRequestRoutes } from '../failed-requests.ts';
import type { Live } from '../live.ts';
import { accountRoutes } from './accounts.ts';
import { auditRoutes } from './audit.ts';
import type { ConsoleRoutes, ConsoleSources } from './call.ts';
import { deprecationRoutes } from './deprecations.ts';
import { readRecentUse } from './history.ts';
import { petRoutes } from './pets.ts';

export function consoleRoutes(
  live: Live,
  failed: FailedRequests,
  sources: ConsoleSources,
): ConsoleRoutes {
  const recentUse = readRecentUse(sources);
  return {
    ...live.routes,
    ...failedRequestRoutes(failed),
    ...recentUse.routes,
    ...accountRoutes(sources, recentUse),
    ...petRoutes(sources),
    ...deprecationRoutes(sources),
    ...auditRoutes(sources),
  };
}
