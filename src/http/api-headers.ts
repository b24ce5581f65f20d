import type { Standing } from '../domain/rate-limit.ts';
import { CORS_HEADERS } from './cors.ts';

/** What every answer of the interface carries. One literal: its shape is known beforehand. */
export function apiHeaders(requestId: string, standing: Standing): Record<string, string> {
  return {
    'X-Request-Id': requestId,
    'X-RateLimit-Limit': String(standing.limit),
    'X-RateLimit-Remaining': String(standing.remaining),
    'X-RateLimit-Reset': String(standing.resetAtSeconds),
    'Access-Control-Allow-Origin': CORS_HEADERS['Access-Control-Allow-Origin'],
    'Access-Control-Expose-Headers': CORS_HEADERS['Access-Control-Expose-Headers'],
  };
}
