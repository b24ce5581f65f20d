import type { ServedAt } from '../contract/openapi.ts';
import { OPERATIONS, type OperationName } from '../contract/operations.ts';
import type { KeyDirectory } from '../domain/api-key.ts';
import { AppError } from '../domain/error.ts';
import type { PetStore } from '../domain/pet.ts';
import { ANONYMOUS_LIMITS } from '../domain/plan.ts';
import type { Caller, Decision, Limiter } from '../domain/rate-limit.ts';
import { authenticate, type Identity } from './authenticate.ts';
import { addressSubject, clientAddress } from './client-address.ts';
import { CORS_HEADERS, isPreflight, preflightReply } from './cors.ts';
import { deprecationNotice, requireNotRemoved } from './deprecation.ts';
import { Documents } from './docs/pages.ts';
import { errorReply, toAppError } from './error-response.ts';
import { rateLimitHeaders, refusalError } from './limit-rate.ts';
import { HANDLERS } from './pets.ts';
import type { Reply } from './reply.ts';
import {
  DOCUMENT_ROUTE,
  isApiPath,
  matchRoute,
  NO_ROUTE,
  type Route,
  replyWithoutOperation,
  splitUrl,
} from './router.ts';

const IDLE_TIMEOUT_SECONDS = 30;

/** All that the public listener needs from the rest of the program. */
export interface Dependencies {
  readonly pets: PetStore;
  readonly keys: KeyDirectory;
  readonly limiter: Limiter;
  readonly now: () => number;
  readonly sha256: (text: string) => Uint8Array;
  readonly newRequestId: () => string;
  /** Told of every answer once it is made. Must not throw. */
  readonly observe: (answer: Answer) => void;
}

export interface ListenOptions {
  readonly hostname: string;
  readonly port: number;
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** Where callers reach the service, when that is not the listener itself. */
  readonly publicUrl?: string | undefined;
  /** Where the deployment for trials is. */
  readonly stagingUrl?: string | undefined;
  readonly trustedProxies: number;
}

/** A request on its way through, and what has been found out about it. */
interface Exchange {
  readonly request: Request;
  readonly requestId: string;
  readonly startedAtMs: number;
  readonly path: string;
  readonly query: string;
  readonly route: Route;
  identity?: Identity;
  decision?: Decision;
  error?: AppError;
  /** What was thrown, where that is more than the caller is told. */
  fault?: unknown;
}

/** What became of a request, for logs and metrics. */
export interface Answer {
  readonly exchange: Readonly<Exchange>;
  readonly status: number;
  readonly durationSeconds: number;
}

export interface PublicServer {
  /** Where callers reach the service, without the version prefix. */
  readonly publicUrl: string;
  /** Where the listener itself is. */
  readonly localUrl: string;
  /** From now on every answer asks its caller to open a new connection for the next request. */
  drain(): void;
  /**
   * Refuses new connections and resolves once the requests in flight are answered, or cut off
   * after the grace.
   */
  stop(graceSeconds: number): Promise<void>;
}

export function startPublicServer(dependencies: Dependencies, listen: ListenOptions): PublicServer {
  const { pets, keys, limiter, now, sha256, newRequestId, observe } = dependencies;

  const server = Bun.serve({
    hostname: listen.hostname,
    port: listen.port,
    ...(listen.tls && { tls: listen.tls }),
    idleTimeout: IDLE_TIMEOUT_SECONDS,
    // Bun would refuse a larger body with an answer of its own; ours comes from readJsonBody.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    development: false,
    // Otherwise a second service on this port would be given half of the requests, without a word.
    reusePort: false,
    fetch: answer,
  });
  const localUrl = originOf(server.url, listen.hostname);
  const publicUrl = listen.publicUrl ?? localUrl;
  const documents = new Documents(publicUrl, servedAt(publicUrl, listen.stagingUrl));
  const notices = new Map(
    (Object.keys(OPERATIONS) as OperationName[]).map((name) => [
      name,
      deprecationNotice(name, publicUrl),
    ]),
  );

  let draining = false;

  async function answer(request: Request): Promise<Response> {
    const { path, query } = splitUrl(request.url);
    const route = routeOf(request.method, path);
    const exchange: Exchange = {
      request,
      requestId: newRequestId(),
      startedAtMs: performance.now(),
      path,
      query,
      route,
    };
    const reply = await replyTo(exchange);
    const headers = await headersOf(exchange, reply);
    const response = new Response(reply.body, { status: reply.status, headers });
    const durationSeconds = (performance.now() - exchange.startedAtMs) / 1000;
    observe({ exchange, status: reply.status, durationSeconds });
    return response;
  }

  function routeOf(method: string, path: string): Route {
    if (isApiPath(path)) return matchRoute(method, path);
    return documents.has(path) ? DOCUMENT_ROUTE : NO_ROUTE;
  }

  /** Whatever is thrown or refused on the way becomes an error here. */
  async function replyTo(exchange: Exchange): Promise<Reply> {
    let outcome: Reply | AppError;
    try {
      outcome = await handle(exchange);
    } catch (thrown) {
      outcome = toAppError(thrown);
      exchange.fault = outcome === thrown ? outcome.cause : thrown;
    }
    if (!(outcome instanceof AppError)) return outcome;
    exchange.error = outcome;
    return errorReply(outcome, exchange.route.allow, publicUrl);
  }

  /**
   * Authenticate, limit, handle. A request without a valid key counts for its address. The errors
   * that may come by the million are returned, which is cheaper than a throw through three calls.
   */
  async function handle(exchange: Exchange): Promise<Reply | AppError> {
    const { request, path, query, route } = exchange;
    if (!isApiPath(path)) {
      return documents.read(request, path) ?? replyWithoutOperation(request.method, route);
    }
    if (isPreflight(request)) return preflightReply(route.allow);

    const nowMs = now();
    const authorization = request.headers.get('authorization');
    const identity = await authenticate(authorization, keys, sha256, nowMs);
    if (identity instanceof AppError) {
      exchange.decision = await limiter.take(addressCaller(request));
      return refusalError(exchange.decision) ?? identity;
    }
    exchange.identity = identity;
    exchange.decision = await limiter.take(identity.caller);
    const refusal = refusalError(exchange.decision);
    if (refusal !== undefined) return refusal;

    if (route.operation === undefined) return replyWithoutOperation(request.method, route);
    requireNotRemoved(route.operation, nowMs);
    return HANDLERS[route.operation]({
      request,
      query,
      petId: route.parameter,
      account: identity.account,
      nowMs,
      publicUrl,
      pets,
      sha256,
    });
  }

  async function headersOf(
    { request, requestId, path, route, decision }: Exchange,
    reply: Reply,
  ): Promise<Record<string, string>> {
    const standing = isApiPath(path)
      ? (decision ?? (await limiter.peek(addressCaller(request))))
      : undefined;
    const headers: Record<string, string> = {
      'X-Request-Id': requestId,
      ...(standing && { ...rateLimitHeaders(standing), ...CORS_HEADERS }),
    };
    if (reply.body !== null) headers['Content-Type'] = 'application/json';
    const notice = route.operation && notices.get(route.operation);
    if (notice !== undefined) {
      headers['Deprecation'] = notice.deprecation;
      headers['Sunset'] = notice.sunset;
    }
    const link = joinLinks(notice?.link, reply.link);
    if (link !== undefined) headers['Link'] = link;
    if (reply.headers !== undefined) Object.assign(headers, reply.headers);
    if (draining) headers['Connection'] = 'close';
    return headers;
  }

  function addressCaller(request: Request): Caller {
    const peer = server.requestIP(request)?.address ?? 'unknown';
    const forwardedFor = request.headers.get('x-forwarded-for');
    const address = clientAddress(peer, forwardedFor, listen.trustedProxies);
    return { subject: addressSubject(address), limits: ANONYMOUS_LIMITS };
  }

  return {
    publicUrl,
    localUrl,
    drain() {
      draining = true;
    },
    async stop(graceSeconds) {
      const grace = AbortSignal.timeout(graceSeconds * 1000);
      grace.onabort = () => server.stop(true);
      await server.stop();
      grace.onabort = null;
    },
  };
}

function joinLinks(first: string | undefined, second: string | undefined): string | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return `${first}, ${second}`;
}

/** Which of the two deployments this one is. */
function servedAt(publicUrl: string, stagingUrl: string | undefined): ServedAt {
  return publicUrl === stagingUrl
    ? { staging: stagingUrl }
    : { production: publicUrl, staging: stagingUrl };
}

/** Stands for all addresses of the machine, and so is none itself. */
export function isWildcard(hostname: string): boolean {
  return hostname === '0.0.0.0' || hostname === '::';
}

function originOf({ protocol, port, origin }: URL, hostname: string): string {
  return isWildcard(hostname) ? `${protocol}//localhost:${port}` : origin;
}
