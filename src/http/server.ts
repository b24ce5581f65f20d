import type { ServedAt } from '../contract/openapi.ts';
import type { KeyDirectory, KnownKey } from '../domain/api-key.ts';
import { type Awaitable, recovering, whenReady } from '../domain/awaitable.ts';
import { AppError, type Problem } from '../domain/error.ts';
import type { WrittenPets } from '../domain/pet.ts';
import { ANONYMOUS_LIMITS } from '../domain/plan.ts';
import type { Caller, Decision, Limiter, Standing } from '../domain/rate-limit.ts';
import { authenticate } from './authenticate.ts';
import { addressSubject, forwardedAddress } from './client-address.ts';
import { isPreflight, preflightReply } from './cors.ts';
import { requireNotRemoved } from './deprecation.ts';
import { Documents } from './docs/pages.ts';
import { errorReply, toProblem } from './error-response.ts';
import { refusalProblem } from './limit-rate.ts';
import { petHandlers } from './pets.ts';
import type { Reply } from './reply.ts';
import { ResponseWriter } from './response.ts';
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
  readonly pets: WrittenPets;
  readonly keys: KeyDirectory;
  readonly limiter: Limiter;
  readonly now: () => number;
  readonly sha256: (text: string) => Uint8Array;
  readonly newRequestId: () => string;
  /** Told of every answer once it is made. Must not throw. */
  readonly observe: (exchange: Readonly<Exchange>, reply: Reply, durationSeconds: number) => void;
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
export interface Exchange {
  readonly request: Request;
  readonly method: string;
  readonly requestId: string;
  /** By the monotonic clock and by the calendar. */
  readonly startedAtMs: number;
  readonly nowMs: number;
  readonly path: string;
  readonly query: string;
  readonly route: Route;
  /** The path is one of the interface, whether the interface has it or not. */
  readonly isApi: boolean;
  /** Whose request it is. */
  known: KnownKey | undefined;
  decision: Decision | undefined;
  /** What is wrong with its key. */
  problem: Problem | undefined;
  /** What was thrown, where that is more than the caller is told. */
  fault: unknown;
}

interface Identified extends Exchange {
  known: KnownKey;
}

/** Without a valid key. */
interface Unidentified extends Exchange {
  problem: Problem;
}

type Outcome = Reply | Problem;

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
  const responses = new ResponseWriter(publicUrl);
  const handlers = petHandlers({ pets, publicUrl, sha256 });

  let draining = false;

  function answer(request: Request): Awaitable<Response> {
    const { path, query } = splitUrl(request.url);
    const isApi = isApiPath(path);
    const { method } = request;
    const exchange: Exchange = {
      request,
      method,
      requestId: newRequestId(),
      startedAtMs: performance.now(),
      nowMs: now(),
      path,
      query,
      route: isApi ? matchRoute(method, path) : documentRoute(path),
      isApi,
      known: undefined,
      decision: undefined,
      problem: undefined,
      fault: undefined,
    };
    return whenReady(recovering(handle, fail, exchange), settle, exchange);
  }

  function documentRoute(path: string): Route {
    return documents.has(path) ? DOCUMENT_ROUTE : NO_ROUTE;
  }

  /** Authenticate, count, serve. */
  function handle(exchange: Exchange): Awaitable<Outcome> {
    const { request, method, path, route, isApi, nowMs } = exchange;
    if (!isApi) return documents.read(request, path) ?? replyWithoutOperation(method, route);
    const { headers } = request;
    if (isPreflight(method, headers)) return preflightReply(route.allow);
    const authorization = headers.get('authorization');
    return whenReady(authenticate(authorization, keys, sha256, nowMs), count, exchange);
  }

  /** A request without a valid key counts for its address. */
  function count(found: KnownKey | Problem, exchange: Exchange): Awaitable<Outcome> {
    if ('code' in found) {
      exchange.problem = found;
      const taken = limiter.take(addressCaller(exchange.request));
      return whenReady(taken, refuse, exchange as Unidentified);
    }
    exchange.known = found;
    return whenReady(limiter.take(found.caller), serve, exchange as Identified);
  }

  function refuse(decision: Decision, exchange: Unidentified): Outcome {
    exchange.decision = decision;
    return refusalProblem(decision) ?? exchange.problem;
  }

  function serve(decision: Decision, exchange: Identified): Awaitable<Outcome> {
    exchange.decision = decision;
    const refusal = refusalProblem(decision);
    if (refusal !== undefined) return refusal;
    const { method, route, nowMs } = exchange;
    if (route.operation === undefined) return replyWithoutOperation(method, route);
    requireNotRemoved(route.operation, nowMs);
    return handlers[route.operation](exchange);
  }

  function fail(thrown: unknown, exchange: Exchange): Outcome {
    exchange.fault = thrown instanceof AppError ? thrown.cause : thrown;
    return toProblem(thrown);
  }

  function settle(outcome: Outcome, exchange: Exchange): Awaitable<Response> {
    const reply = 'code' in outcome ? errorReply(outcome) : outcome;
    const { decision, isApi } = exchange;
    return decision !== undefined || !isApi
      ? respond(reply, decision, exchange)
      : peekAndRespond(reply, exchange);
  }

  /** Every answer of the interface tells of limits, even where nothing was counted. */
  function peekAndRespond(reply: Reply, exchange: Exchange): Awaitable<Response> {
    const standing = recovering<Standing | undefined, Exchange>(
      ({ request }) => limiter.peek(addressCaller(request)),
      (thrown) => {
        exchange.fault ??= thrown;
        return undefined;
      },
      exchange,
    );
    return whenReady(standing, (told) => respond(reply, told, exchange));
  }

  function respond(reply: Reply, standing: Standing | undefined, exchange: Exchange): Response {
    const { requestId, route, startedAtMs } = exchange;
    const response = responses.write(reply, requestId, route.operation, standing);
    if (draining) response.headers.set('Connection', 'close');
    observe(exchange, reply, (performance.now() - startedAtMs) / 1000);
    return response;
  }

  function addressCaller(request: Request): Caller {
    const address =
      forwardedAddress(request.headers.get('x-forwarded-for'), listen.trustedProxies) ??
      server.requestIP(request)?.address ??
      'unknown';
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
