import {
  hasSecret,
  isFree,
  isGetPet,
  isRefusal,
  onResponse,
  withHeader,
  withStatus,
  withText,
} from '../faults.ts';
import {
  ENTERPRISE_LIMITS,
  FREE_KEY,
  FULL_DAY,
  json,
  KEY,
  PLAN_KEYS,
} from '../reference-server.ts';
import type { BrokenServer } from './broken-server.ts';

/** Each run has only the keys that it needs, because the limits take many requests. */
const withoutFreeKey = { isStaging: true, options: { keys: { key: KEY } } };
const withFreeKey = { isStaging: true };
const withPlan = (plan: 'pro' | 'business' | 'enterprise') => ({
  isStaging: true,
  options: {
    keys: { key: KEY, [plan]: PLAN_KEYS[plan] },
    enterpriseLimits: ENTERPRISE_LIMITS,
  },
});

const isDocument = (_: Response, { url }: Request) => url.endsWith('/openapi.json');
const onFullDay = (change: (seconds: string) => string) =>
  onResponse(
    (response) => isRefusal(response) && Number(response.headers.get('Retry-After')) > 3_600,
    withHeader('Retry-After', change),
  );

export const STAGING_FAULTS: readonly BrokenServer[] = [
  {
    name: 'removes getPet a day early',
    ...withoutFreeKey,
    caughtBy: ['getPet.untilRemoval'],
    fault: onResponse(
      (_, request) =>
        isGetPet(request) && request.headers.get('x-test-time') === '2030-12-04T00:00:00.000Z',
      ({ headers }) =>
        json(410, { code: 'gone', message: 'Gone.', status: 410 }, Object.fromEntries(headers)),
    ),
  },
  {
    name: 'never removes getPet',
    ...withoutFreeKey,
    caughtBy: ['getPet.removed'],
    fault: onResponse(
      ({ status }, request) => isGetPet(request) && status === 410,
      withStatus(200),
    ),
  },
  {
    name: 'has another version in its document',
    ...withoutFreeKey,
    caughtBy: ['versioning.version'],
    fault: onResponse(
      isDocument,
      withText((text) => text.replace('1.0.0', '1.1.0')),
    ),
  },
  {
    name: 'has another stability marker in its document',
    ...withoutFreeKey,
    caughtBy: ['versioning.stability'],
    fault: onResponse(
      isDocument,
      withText((text) => text.replace('beta', 'alpha')),
    ),
  },
  {
    name: 'admits 1,001 requests a day',
    ...withFreeKey,
    caughtBy: ['limits.free.perDay'],
    perDay: { [FREE_KEY]: 1_001 },
  },
  {
    name: 'sends a Retry-After that is too short when a day is used up',
    ...withFreeKey,
    caughtBy: ['limits.exceeded.wait.day'],
    fault: onFullDay((seconds) => String(Number(seconds) / 2)),
  },
  {
    name: 'refuses a client that has waited, after it has waited ten times',
    ...withFreeKey,
    caughtBy: ['limits.exceeded.backoff'],
    fault: (() => {
      let refusals = 0;
      return onResponse(
        (response, request) => isFree(request) && isRefusal(response) && ++refusals === 10,
        withHeader('Retry-After', '1'),
      );
    })(),
  },
  {
    name: 'bans a key for good',
    ...withFreeKey,
    caughtBy: ['limits.exceeded.ban'],
    fault: (() => {
      let isBanned = false;
      return onResponse((response, request) => {
        isBanned ||= response.status === 403;
        return isFree(request) && isBanned && response.status !== 403;
      }, withStatus(403));
    })(),
  },
  {
    name: 'ends a ban before Retry-After',
    ...withFreeKey,
    caughtBy: ['limits.exceeded.ban.end'],
    fault: onResponse(
      ({ status }) => status === 403,
      withHeader('Retry-After', (seconds) => String(Number(seconds) * 2)),
    ),
  },
  {
    name: 'admits 299 requests a minute on the Pro plan',
    ...withPlan('pro'),
    caughtBy: ['limits.pro'],
    perMinute: { [PLAN_KEYS.pro]: 299 },
  },
  {
    name: 'has another limit for a day on the Business plan',
    ...withPlan('business'),
    caughtBy: ['limits.business'],
    fault: onResponse(
      (_, request) => hasSecret(request, PLAN_KEYS.business + FULL_DAY),
      withHeader('X-RateLimit-Limit', '10000'),
    ),
  },
  {
    name: 'admits more than the limits of an Enterprise account',
    ...withPlan('enterprise'),
    caughtBy: ['limits.enterprise'],
    perMinute: { [PLAN_KEYS.enterprise]: ENTERPRISE_LIMITS.perMinute + 1 },
  },
  {
    name: 'has no second address',
    caughtBy: ['service.addresses'],
    options: { otherUrl: 'http://127.0.0.1:1/v1' },
  },
];
