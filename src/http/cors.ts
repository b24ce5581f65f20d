import { EXPOSED_HEADERS } from '../contract/headers.ts';
import type { Reply } from './reply.ts';

/** Any page may call the interface: keys are sent by hand, never by the browser on its own. */
export const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS,
} as const;

/** The question a browser asks before a request from another origin; it never carries a key. */
export function isPreflight(method: string, headers: Headers): boolean {
  return method === 'OPTIONS' && headers.has('access-control-request-method');
}

export function preflightReply(allow: readonly string[]): Reply {
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
