import {
  answering,
  hasStatus,
  isCreation,
  isFree,
  isRefusal,
  isSuccess,
  withHeader,
  withKey,
} from '../faults.ts';
import { FREE_KEY } from '../small-server.ts';
import type { BrokenServer } from './broken-server.ts';

export const WRONG_LIMITS: readonly BrokenServer[] = [
  {
    name: 'has no X-RateLimit-Limit on a 401',
    caughtBy: ['limits.headers.limit'],
    fault: answering(hasStatus(401), withHeader('X-RateLimit-Limit', null)),
  },
  {
    name: 'has no X-RateLimit-Remaining on a 404',
    caughtBy: ['limits.headers.remaining'],
    fault: answering(hasStatus(404), withHeader('X-RateLimit-Remaining', null)),
  },
  {
    name: 'has no X-RateLimit-Reset on a 201',
    caughtBy: ['limits.headers.reset'],
    fault: answering(hasStatus(201), withHeader('X-RateLimit-Reset', null)),
  },
  {
    name: 'has none of the headers on a 429',
    caughtBy: [
      'limits.exceeded.remaining',
      'limits.headers.limit',
      'limits.headers.limit.free',
      'limits.headers.remaining',
      'limits.headers.reset',
    ],
    fault: answering(isRefusal, (response) =>
      ['Limit', 'Remaining', 'Reset'].reduce(
        (changed, name) => withHeader(`X-RateLimit-${name}`, null)(changed),
        response,
      ),
    ),
  },
  {
    name: 'resets in so many seconds rather than at a time',
    caughtBy: ['limits.headers.reset'],
    fault: answering(() => true, withHeader('X-RateLimit-Reset', '60')),
  },
  {
    name: 'resets at a time in milliseconds',
    caughtBy: ['limits.headers.reset', 'limits.headers.reset.kept'],
    fault: answering(
      () => true,
      withHeader('X-RateLimit-Reset', (reset) => `${reset}000`),
    ),
  },
  {
    name: 'resets half an hour before it says so',
    caughtBy: ['limits.headers.reset.kept'],
    fault: answering(
      () => true,
      withHeader('X-RateLimit-Reset', (reset) => String(Number(reset) + 1800)),
    ),
  },
  {
    name: 'always has the same number of requests left',
    caughtBy: ['limits.headers.remaining.falls'],
    fault: answering(isSuccess, withHeader('X-RateLimit-Remaining', '42')),
  },
  {
    name: 'has more requests left than the limit',
    caughtBy: ['limits.headers.remaining'],
    fault: answering(
      isSuccess,
      withHeader('X-RateLimit-Remaining', (left) => `${left}0`),
    ),
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
    name: 'says 60 and admits more',
    caughtBy: ['limits.free.perMinute', 'limits.exceeded'],
    fault: answering(
      (_, request) => isFree(request),
      (response) => {
        withHeader('X-RateLimit-Remaining', (left) => String(Math.max(0, Number(left) - 40)))(
          response,
        );
        return withHeader('X-RateLimit-Limit', '60')(response);
      },
    ),
    perMinute: { [FREE_KEY]: 100 },
  },
  {
    name: 'answers 503 beyond the limit',
    caughtBy: ['limits.exceeded'],
    fault: answering(isRefusal, ({ headers }) => {
      headers.set('Content-Type', 'application/json');
      return new Response('{}', { status: 503, headers });
    }),
  },
  {
    name: 'lets creations through beyond the limit',
    caughtBy: ['errors.429.anyRequest'],
    fault: async (request, honest) => {
      const response = await honest(request.clone() as Request);
      if (response.status !== 429 || !isCreation(request)) return response;
      response.headers.set('Content-Type', 'application/json');
      const { headers } = response;
      return new Response((await honest(withKey(request))).body, { status: 201, headers });
    },
  },
  {
    name: 'has a 429 without Retry-After',
    caughtBy: ['errors.429.retryAfter'],
    fault: answering(isRefusal, withHeader('Retry-After', null)),
  },
  {
    name: 'says to retry soon',
    caughtBy: ['errors.429.retryAfter'],
    fault: answering(isRefusal, withHeader('Retry-After', 'soon')),
  },
  {
    name: 'says to retry too early',
    caughtBy: ['limits.exceeded.wait'],
    fault: answering(isRefusal, withHeader('Retry-After', '5')),
  },
  {
    name: 'has requests left in a refusal',
    caughtBy: ['limits.exceeded.remaining'],
    fault: answering(isRefusal, withHeader('X-RateLimit-Remaining', '1')),
  },
];
