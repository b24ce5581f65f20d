import { TEST_TIME_HEADER } from '../contract/staging.ts';
import type { ResponseParts } from './response.ts';

/** An OPTIONS request that a browser sends before one to another origin. It never carries a key. */
export function isPreflight(headers: Headers): boolean {
  return headers.has('access-control-request-method');
}

const REQUEST_HEADERS = 'Authorization, Content-Type, Idempotency-Key';

export function preflightParts(allow: readonly string[], isStaging: boolean): ResponseParts {
  return {
    status: 204,
    body: null,
    headers: {
      'Access-Control-Allow-Methods': allow.join(', '),
      'Access-Control-Allow-Headers': isStaging
        ? `${REQUEST_HEADERS}, ${TEST_TIME_HEADER}`
        : REQUEST_HEADERS,
      'Access-Control-Max-Age': '86400',
    },
  };
}
