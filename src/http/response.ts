import { API_PREFIX } from '#contract/api.ts';
import { CONTRACTS } from '#contract/environment.ts';
import { ERROR_CODES, type ErrorCode } from '#contract/errors.ts';
import type { ResponseParts, Route } from '#contract/exchange.ts';
import {
  announcementLink,
  CACHE_HEADERS,
  fixedErrorHeaders,
  SNIFFING_HEADERS,
  TLS_HEADERS,
} from '#contract/headers.ts';
import {
  OPERATION_NAMES,
  OPERATIONS,
  type Operation,
  type OperationName,
} from '#contract/operations.ts';
import type { Environment } from '#domain/environment.ts';
import { type Quota, secondsUntil } from '#domain/rate-limit.ts';

export function preflightParts(allow: readonly string[], environment: Environment): ResponseParts {
  const { operations } = CONTRACTS[environment];
  const headers = Object.values(operations).flatMap(({ requestHeaders }) =>
    Object.keys(requestHeaders),
  );
  return {
    status: 204,
    body: null,
    headers: {
      'Access-Control-Allow-Methods': allow.join(', '),
      'Access-Control-Allow-Headers': ['Authorization', 'Content-Type', ...new Set(headers)].join(
        ', ',
      ),
      'Access-Control-Max-Age': '86400',
    },
  };
}

/** Fixed headers differ by place: an operation, any other path of the API, or a path outside the API. */
type Place = OperationName | 'api' | 'outside';

/** The headers of a place and an error, with what its last response has set. */
interface Prepared {
  readonly headers: Headers;
  /**
   * The limits in `RateLimit-Policy`. Setting it only when they change saves 2 % of the CPU time of a getPet, and both
   * fields still take 7 %.
   */
  perMinute?: number;
  perDay?: number;
}

/**
 * Makes responses. Each place and error has prepared headers, which hold what never changes. A response first sets
 * there what every response has, and then gets a copy. Adding the id and the limits to the copy would make it grow, and
 * take 4 % of the CPU time of a getPet.
 */
export class ResponseWriter {
  readonly #prepared;
  /** While this is true, every response asks its client to open a new connection. */
  closesConnections = false;

  constructor(publicUrl: string, environment: Environment, hasTls: boolean) {
    const places: Place[] = [...OPERATION_NAMES, 'api', 'outside'];
    const codes = [undefined, ...ERROR_CODES];
    this.#prepared = new Map(
      places.map((place) => [
        place,
        new Map(
          codes.map((code) => [code, preparedFor(place, code, publicUrl, environment, hasTls)]),
        ),
      ]),
    );
  }

  /** `quota` is undefined outside the API, where nothing is limited. */
  write(
    { isApi, operation }: Pick<Route, 'isApi' | 'operation'>,
    requestId: string,
    parts: ResponseParts,
    quota: Quota | undefined,
  ): Response {
    const { status, body } = parts;
    const place = isApi ? (operation ?? 'api') : 'outside';
    const prepared = this.#prepared.get(place)?.get(parts.error) as Prepared;
    prepared.headers.set('X-Request-Id', requestId);
    if (quota !== undefined) setLimits(prepared, quota);
    const response = new Response(body, { status, headers: prepared.headers });
    const { headers } = response;
    if (body === null) headers.delete('Content-Type');
    if (parts.link !== undefined) headers.append('Link', parts.link);
    if (parts.retryAfterSeconds !== undefined) {
      headers.append('Retry-After', String(parts.retryAfterSeconds));
    }
    for (const name in parts.headers) headers.set(name, parts.headers[name] as string);
    if (this.closesConnections) headers.set('Connection', 'close');
    return response;
  }
}

/** Reports the limits. What an earlier response has set is replaced, or deleted. */
function setLimits(prepared: Prepared, { limit, remaining, resetAtSeconds, windows }: Quota): void {
  const { headers } = prepared;
  headers.set('X-RateLimit-Limit', String(limit));
  headers.set('X-RateLimit-Remaining', String(remaining));
  headers.set('X-RateLimit-Reset', String(resetAtSeconds));
  if (windows === undefined) {
    headers.delete('RateLimit-Policy');
    headers.delete('RateLimit');
    delete prepared.perDay;
    return;
  }
  const { minute, day, nowMs } = windows;
  if (minute.limit !== prepared.perMinute || day.limit !== prepared.perDay) {
    prepared.perMinute = minute.limit;
    prepared.perDay = day.limit;
    headers.set(
      'RateLimit-Policy',
      `"minute";q=${minute.limit};w=60, "day";q=${day.limit};w=86400`,
    );
  }
  headers.set(
    'RateLimit',
    `"minute";r=${minute.remaining};t=${secondsUntil(minute.resetAtSeconds, nowMs)}, ` +
      `"day";r=${day.remaining};t=${secondsUntil(day.resetAtSeconds, nowMs)}`,
  );
}

function preparedFor(
  place: Place,
  code: ErrorCode | undefined,
  publicUrl: string,
  environment: Environment,
  hasTls: boolean,
): Prepared {
  const isApi = place !== 'outside';
  const { cors, marks } = CONTRACTS[environment];
  const groups = [
    { 'Content-Type': 'application/json' },
    SNIFFING_HEADERS,
    hasTls ? TLS_HEADERS : {},
    isApi || code !== undefined ? CACHE_HEADERS : {},
    isApi ? cors : {},
    marks,
    isApi && place !== 'api' ? deprecationHeaders(place, publicUrl) : {},
    code === undefined ? {} : fixedErrorHeaders(code, publicUrl),
    // A browser gets a page in place of this Error object, so caches must tell the two apart.
    !isApi && code === 'route_not_found' ? { Vary: 'Accept' } : {},
  ];
  return { headers: new Headers(groups.flatMap((group) => Object.entries(group))) };
}

function deprecationHeaders(name: OperationName, publicUrl: string): Record<string, string> {
  const { deprecation }: Operation = OPERATIONS[name];
  if (deprecation === undefined) return {};
  const { deprecatedAt, removedAt, successor } = deprecation;
  return {
    Deprecation: `@${deprecatedAt.getTime() / 1000}`,
    Sunset: removedAt.toUTCString(),
    Link:
      `<${publicUrl}${API_PREFIX}${OPERATIONS[successor].path}>; rel="successor-version", ` +
      announcementLink(publicUrl),
  };
}
