import { CACHE_HEADERS, SNIFFING_HEADERS } from '../../contract/headers.ts';
import type { Live } from '../live.ts';
import type { ConsoleRoutes } from './route.ts';

const HEADERS = {
  ...SNIFFING_HEADERS,
  ...CACHE_HEADERS,
  'Content-Type': 'text/event-stream',
  // nginx would collect events before it sends them.
  'X-Accel-Buffering': 'no',
};

export function liveRoutes(live: Live): ConsoleRoutes {
  return {
    '/api/live': {
      GET: ({ isSignedIn }) => new Response(live.open(isSignedIn), { headers: HEADERS }),
    },
  };
}
