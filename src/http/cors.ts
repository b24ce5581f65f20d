import type { ResponseParts } from './response.ts';

/** An OPTIONS request that a browser sends before one to another origin. It never carries a key. */
export function isPreflight(headers: Headers): boolean {
  return headers.has('access-control-request-method');
}

export function preflightParts(allow: readonly string[]): ResponseParts {
  return {
    status: 204,
    body: null,
    headers: {
      'Access-Control-Allow-Methods': allow.join(', '),
      'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key',
      'Access-Control-Max-Age': '86400',
    },
  };
}
