import { Clock } from '../../support/time.ts';
import { type Fault, FREE_KEY, KEY, PLAN_KEYS, WITHOUT_FREE_KEY } from '../deployment.ts';
import {
  authorizationOf,
  broken,
  hasStatus,
  isCreatePet,
  isFree,
  isGetPet,
  isRefusal,
  isSuccess,
  onResponse,
  problem,
  withHeader,
  withKey,
  withStatus,
} from '../faults.ts';

/** Each run has only the keys that it needs, because the limits take many requests. */
const withoutFreeKey = (fault: Fault) => ({
  fault,
  isStaging: true,
  options: WITHOUT_FREE_KEY,
});
const withFreeKey = (fault: Fault) => ({ fault, isStaging: true });
const withPlan = (plan: 'pro' | 'business' | 'enterprise') => ({
  isStaging: true,
  options: { keys: { key: KEY, [plan]: PLAN_KEYS[plan] } },
});

const retryAfterOf = ({ headers }: Response) => Number(headers.get('Retry-After'));

/** The ban of a key lasts longer than the minute, and less than the day. */
const isBan = (response: Response) =>
  isRefusal(response) && retryAfterOf(response) > 60 && retryAfterOf(response) <= 300;

/** Deployments with other limits, counted or shown. */
export const LIMIT_FAULTS = [
  broken(
    'has a limit of 0 and a reset five minutes after a day, on a 404',
    onResponse(hasStatus(404), (response) => {
      const { headers } = response;
      headers.set('X-RateLimit-Limit', '0');
      // The clock of the deployment stands still.
      headers.set('X-RateLimit-Reset', `${new Clock().now() / 1000 + 86_700}`);
      return response;
    }),
    'limits.headers.limit',
    'limits.headers.remaining',
    'limits.headers.reset',
  ),
  broken(
    'resets more than five minutes before X-RateLimit-Reset',
    onResponse(
      () => true,
      withHeader('X-RateLimit-Reset', (reset) => String(Number(reset) + 301)),
    ),
    'limits.headers.reset.kept',
  ),
  broken(
    'always has the same number remaining',
    onResponse(isSuccess, withHeader('X-RateLimit-Remaining', '42')),
    'limits.headers.both',
    'limits.headers.remaining.falls',
  ),
  broken(
    'admits 61 requests a minute',
    { limits: { [FREE_KEY]: { perMinute: 61 } } },
    'limits.free.perMinute',
    'limits.headers.limit.free',
  ),
  broken(
    'admits every request',
    { limits: { [FREE_KEY]: { perMinute: 1_000_000 } } },
    'limits.free.perMinute',
    'limits.exceeded',
  ),
  broken(
    'admits createPet over the limit',
    async (request, service) => {
      const response = await service(request.clone() as Request);
      if (!isRefusal(response) || !isCreatePet(request)) return response;
      const { headers } = response;
      return new Response((await service(withKey(request))).body, { status: 201, headers });
    },
    'errors.429.anyRequest',
  ),
  broken(
    'sends text in Retry-After',
    onResponse(isRefusal, withHeader('Retry-After', 'soon')),
    'errors.429.retryAfter',
  ),
  broken(
    'sends a Retry-After that is too short',
    onResponse(isRefusal, withHeader('Retry-After', '5')),
    'limits.exceeded.wait',
  ),
  broken(
    'has requests remaining on a 429',
    onResponse(isRefusal, withHeader('X-RateLimit-Remaining', '1')),
    'limits.exceeded.remaining',
    'limits.headers.both',
  ),
  broken(
    'has other windows in RateLimit, on a 404',
    onResponse(hasStatus(404), withHeader('RateLimit', '"minute";r=7;t=37, "day";r=8;t=40712')),
    'limits.headers.both',
  ),
  broken(
    'removes getPet a day early',
    withoutFreeKey(
      onResponse(
        (_, request) =>
          isGetPet(request) && request.headers.get('x-test-time') === '2030-12-04T00:00:00.000Z',
        problem(410),
      ),
    ),
    'getPet.untilRemoval',
  ),
  broken(
    'never removes getPet',
    withoutFreeKey(onResponse(hasStatus(410), withStatus(200))),
    'getPet.removed',
  ),
  broken(
    'admits 1,001 requests a day',
    { isStaging: true, limits: { [FREE_KEY]: { perDay: 1_001 } } },
    'limits.free.perDay',
  ),
  broken(
    'sends a Retry-After that is too short when a day is used up',
    withFreeKey(
      onResponse(
        (response) => isRefusal(response) && retryAfterOf(response) > 3_600,
        withHeader('Retry-After', (seconds) => String(Math.floor(Number(seconds) / 2))),
      ),
    ),
    'limits.exceeded.wait.day',
  ),
  broken(
    'refuses a client that has waited, after it has waited ten times',
    withFreeKey(refuseTenth()),
    'limits.exceeded.backoff',
  ),
  broken('bans a key for good', withFreeKey(banForGood()), 'limits.exceeded.ban'),
  broken(
    'ends a ban before Retry-After',
    withFreeKey(
      onResponse(
        isBan,
        withHeader('Retry-After', (seconds) => String(Number(seconds) * 2)),
      ),
    ),
    'limits.exceeded.ban.end',
  ),
  broken(
    'admits 299 requests a minute on the Pro plan',
    { ...withPlan('pro'), limits: { [PLAN_KEYS.pro]: { perMinute: 299 } } },
    'limits.pro',
  ),
  broken(
    'has another limit for a day on the Business plan',
    {
      ...withPlan('business'),
      fault: onResponse(
        (_, request) => authorizationOf(request).endsWith('~rate_limit_day'),
        withHeader('X-RateLimit-Limit', '10000'),
      ),
    },
    'limits.business',
  ),
  broken(
    'admits more than the limits of an Enterprise account',
    { ...withPlan('enterprise'), limits: { [PLAN_KEYS.enterprise]: { perMinute: 8 } } },
    'limits.enterprise',
  ),
];

function refuseTenth(): Fault {
  let refusals = 0;
  return onResponse(
    (response, request) => isFree(request) && isRefusal(response) && ++refusals === 10,
    withHeader('Retry-After', '1'),
  );
}

function banForGood(): Fault {
  let hasBanned = false;
  return onResponse((response, request) => {
    hasBanned ||= isBan(response);
    return hasBanned && isFree(request);
  }, withStatus(403));
}
