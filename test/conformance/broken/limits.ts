import {
  hasStatus,
  isCreatePet,
  isRefusal,
  isSuccess,
  onResponse,
  withHeader,
  withKey,
} from '../faults.ts';
import { FREE_KEY } from '../reference-server.ts';
import type { BrokenServer } from './broken-server.ts';

export const LIMIT_FAULTS: readonly BrokenServer[] = [
  {
    name: 'omits X-RateLimit-Limit on a 401',
    caughtBy: ['limits.headers.limit'],
    fault: onResponse(hasStatus(401), withHeader('X-RateLimit-Limit', null)),
  },
  {
    name: 'omits X-RateLimit-Remaining on a 404',
    caughtBy: ['limits.headers.remaining'],
    fault: onResponse(hasStatus(404), withHeader('X-RateLimit-Remaining', null)),
  },
  {
    name: 'omits X-RateLimit-Reset on a 429',
    caughtBy: ['limits.headers.reset'],
    fault: onResponse(isRefusal, withHeader('X-RateLimit-Reset', null)),
  },
  {
    name: 'resets half an hour before X-RateLimit-Reset',
    caughtBy: ['limits.headers.reset.kept'],
    fault: onResponse(
      () => true,
      withHeader('X-RateLimit-Reset', (reset) => String(Number(reset) + 1800)),
    ),
  },
  {
    name: 'always has the same number remaining',
    caughtBy: ['limits.headers.remaining.falls'],
    fault: onResponse(isSuccess, withHeader('X-RateLimit-Remaining', '42')),
  },
  {
    name: 'admits 61 requests a minute',
    caughtBy: ['limits.free.perMinute', 'limits.exceeded', 'limits.headers.limit.free'],
    perMinute: { [FREE_KEY]: 61 },
  },
  {
    name: 'admits 59 requests a minute',
    caughtBy: ['limits.free.perMinute', 'limits.headers.limit.free'],
    perMinute: { [FREE_KEY]: 59 },
  },
  {
    name: 'admits createPet over the limit',
    caughtBy: ['errors.429.anyRequest'],
    fault: async (request, conforming) => {
      const response = await conforming(request.clone() as Request);
      if (response.status !== 429 || !isCreatePet(request)) return response;
      response.headers.set('Content-Type', 'application/json');
      const { headers } = response;
      return new Response((await conforming(withKey(request))).body, { status: 201, headers });
    },
  },
  {
    name: 'sends text in Retry-After',
    caughtBy: ['errors.429.retryAfter'],
    fault: onResponse(isRefusal, withHeader('Retry-After', 'soon')),
  },
  {
    name: 'sends a Retry-After that is too short',
    caughtBy: ['limits.exceeded.wait'],
    fault: onResponse(isRefusal, withHeader('Retry-After', '5')),
  },
  {
    name: 'has requests remaining on a 429',
    caughtBy: ['limits.exceeded.remaining'],
    fault: onResponse(isRefusal, withHeader('X-RateLimit-Remaining', '1')),
  },
];
