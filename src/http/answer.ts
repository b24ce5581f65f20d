// The public listener: a request comes in through the router, and this pipeline serves it. The service
// starts it with the parts that it needs. The room knows ports of the domain, not which store or limiter
// is behind them.

import { API_PREFIX } from '../contract/api.ts';
import type {
  Call,
  FoundKey,
  Rehearsal,
  Rehearsals,
  ResponseParts,
  Route,
  RoutedRequest,
} from '../contract/call.ts';
import {
  AppError,
  type Problem,
  problem,
  SERVICE_UNAVAILABLE,
  toProblem,
} from '../contract/errors.ts';
import { withDate } from '../contract/headers.ts';
import { OPERATIONS, type Operation, type OperationName } from '../contract/operations.ts';
import { HOST_RULE } from '../contract/parameters.ts';
import { type KeyFinder, type KnownKey, stateForRequests } from '../domain/api-key.ts';
import { whenFound } from '../domain/backend.ts';
import { type Brownout, brownoutAt } from '../domain/brownout.ts';
import { IdempotencyKeyReusedError, StoreUnavailableError } from '../domain/error.ts';
import type { PetStore } from '../domain/pet.ts';
import { ANONYMOUS_LIMITS } from '../domain/plan.ts';
import {
  addressSubject,
  type Caller,
  type Limiter,
  type Quota,
  type Refusal,
  secondsUntil,
} from '../domain/rate-limit.ts';
import { KEY_PROBLEMS, readToken } from './authenticate.ts';
import { petHandlers } from './pets.ts';
import { discardBody, type RequestsInProgress, turnToClose } from './read-body.ts';
import { preflightParts, type ResponseWriter } from './response.ts';
import { splitUrl } from './router.ts';

/** The parts of the program that the pipeline uses. */
export interface Dependencies {
  readonly pets: PetStore;
  readonly keys: KeyFinder;
  readonly limiter: Limiter;
  /** The times in which getPet returns the error of its removal. */
  readonly brownouts: readonly Brownout[];
  /** Undefined in production. */
  readonly rehearsals?: Rehearsals | undefined;
  readonly now: () => number;
  readonly newRequestId: () => string;
  /** Called with every response. Must not throw. `addressOf` finds the address of a client. */
  readonly observe: (
    call: Readonly<Call>,
    parts: ResponseParts,
    seconds: number,
    addressOf: (call: Call) => string,
  ) => void;
  /** Called when a response hides an error that the operator must see. Must not throw. */
  readonly onFault: (call: Readonly<Call>, parts: ResponseParts) => void;
}

/** The pages outside the API. */
export interface Pages {
  has(path: string): boolean;
  /** Undefined when the path has no page for this method. */
  read(request: Request, path: string): ResponseParts | undefined;
}

/** The parts of the listener that the pipeline uses. */
interface PublicListener {
  readonly pages: Pages;
  readonly responses: ResponseWriter;
  readonly publicUrl: () => string;
  readonly addressOf: (call: Call) => string;
  readonly requests: RequestsInProgress;
  readonly onRequestShed: () => void;
}

/** RFC 9112: one host, with an optional port. Two headers arrive as one, joined by a comma. */
const HOST = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+;=-]|%[\da-f]{2})+)(?::\d{0,5})?$/i;
const INVALID_HOST = problem('invalid_parameter', 'header Host', HOST_RULE);

/** In a list of connection options. */
const CLOSE = /(?:^|,)\s*close\s*(?:,|$)/i;

const READ_ONLY_KEY = problem('read_only_key');

const PAGE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** Makes the function that turns a request into a response. */
export function answerWith(
  { pets, keys, limiter, brownouts, rehearsals, now, newRequestId, observe, onFault }: Dependencies,
  { pages, responses, publicUrl, addressOf, requests, onRequestShed }: PublicListener,
): (request: RoutedRequest, route: Route) => Promise<Response> {
  const environment = rehearsals?.environment ?? 'production';
  const invalidKey = problem('invalid_api_key', environment);
  const isGetPetGone = (timeMs: number): boolean =>
    removalOf('getPet', timeMs, brownouts) !== undefined;
  const handlers = petHandlers(pets, publicUrl, requests, isGetPetGone);

  // One `async` function that awaits only promises: see docs/decisions/012-async-pipeline.md.
  return async function answer(request: RoutedRequest, route: Route): Promise<Response> {
    const call = newCall(request, route);
    const invalidHost = hostProblem(request.headers);
    let parts = leaveEarly(call, invalidHost);
    const isAdmitted = parts === undefined;
    if (parts === undefined) {
      requests.count++;
      try {
        const finding = findKey(call, invalidHost);
        const found = finding instanceof Promise ? await waitFor(finding, call) : finding;
        const rejection = acceptKey(call, found);
        const caller = call.key ?? addressCaller(call);
        const rehearsed = call.key && found.rehearsal?.refuse?.(caller, call.timeMs);
        const taking = rehearsed ?? limiter.take(caller, call.timeMs);
        call.decision = taking instanceof Promise ? await waitFor(taking, call) : taking;
        const serving = serve(call, rejection, found.rehearsal);
        parts = serving instanceof Promise ? await waitFor(serving, call) : serving;
      } catch (error) {
        call.fault = faultOf(error);
        parts = toProblem(error);
      }
    }
    if (isAdmitted) requests.count--;
    if (request.headers.has('transfer-encoding') && !request.bodyUsed) {
      parts = await waitFor(discardBody(request, parts), call);
    }
    if (parts.headers?.['Connection']) await waitFor(turnToClose(), call);
    if (route.isApi) call.limits ??= call.decision ?? lastLimits(call);
    if (call.fault !== undefined) onFault(call, parts);
    observe(call, parts, (performance.now() - call.startedAtMs) / 1000, addressOf);
    return respond(call, parts);
  };

  /** Once a client has left, its address is unknown, so it is read before any wait. */
  function waitFor<T>(promise: Promise<T>, call: Call): Promise<T> {
    addressOf(call);
    return promise;
  }

  /** Pages, preflights and requests above the limit leave before the pipeline. */
  function leaveEarly(
    { request, route }: Call,
    invalidHost: Problem | undefined,
  ): ResponseParts | undefined {
    if (!route.isApi) return invalidHost ?? answerPage(request);
    const { method, headers } = request;
    // A browser sends it before a request to another origin. It never carries a key.
    const isPreflight = method === 'OPTIONS' && headers.has('access-control-request-method');
    if (isPreflight && !invalidHost) return preflightParts(route.allow, environment);
    if (requests.count < requests.max) return undefined;
    onRequestShed();
    return SERVICE_UNAVAILABLE;
  }

  function findKey(
    { request: { headers }, nowMs }: Call,
    invalidHost: Problem | undefined,
  ): FoundKey | Promise<FoundKey> {
    const token = invalidHost ?? readToken(headers.get('authorization'), environment);
    if (token === undefined) return { known: undefined };
    if ('error' in token) return { known: undefined, rejection: token };
    if (rehearsals !== undefined) return rehearsals.findKey(token, headers, nowMs);
    return whenFound(keys.findKey(token.secret), toFoundKey);
  }

  /** Sets the key of a call and the time of its account. Returns why the request is refused. */
  function acceptKey(call: Call, { known, rejection }: FoundKey): Problem | undefined {
    if (known === undefined) return rejection ?? invalidKey;
    const timeMs = call.nowMs + known.clockOffsetMs;
    const refusal = KEY_PROBLEMS[stateForRequests(known, timeMs)];
    if (refusal !== undefined) return refusal;
    call.key = known;
    call.timeMs = timeMs;
    return rejection;
  }

  function serve(
    call: Call,
    rejection: Problem | undefined,
    rehearsal: Rehearsal | undefined,
  ): ResponseParts | Promise<ResponseParts> {
    const { key, decision } = call;
    if (decision?.refusedBy !== undefined) return refusalProblem(decision);
    if (key === undefined || rejection !== undefined) return rejection ?? invalidKey;
    return rehearsal?.serve === undefined
      ? serveOperation(call, key)
      : rehearsal.serve(call, (rehearsed) => serveOperation(rehearsed, key));
  }

  function serveOperation(call: Call, key: KnownKey): ResponseParts | Promise<ResponseParts> {
    const { request, route } = call;
    if (route.operation === undefined) return withoutOperation(request.method, route.allow);
    const removal = removalOf(route.operation, call.timeMs, brownouts);
    if (removal !== undefined) return removal;
    // Before the body is read.
    if (key.isReadOnly && OPERATIONS[route.operation].method !== 'GET') return READ_ONLY_KEY;
    return handlers[route.operation](call, key);
  }

  function respond(call: Call, parts: ResponseParts): Response {
    const { method, headers } = call.request;
    const response = responses.write(call.route, call.id, parts, call.limits);
    // After CONNECT, the runtime treats further requests as data of a tunnel and never responds to
    // them. After `Connection: close`, it closes the connection, but does not say so.
    if (method === 'CONNECT' || CLOSE.test(headers.get('connection') ?? '')) {
      response.headers.set('Connection', 'close');
    }
    const hasOwnDate = method === 'HEAD' || rehearsals !== undefined;
    return hasOwnDate ? withDate(response, call.timeMs) : response;
  }

  function newCall(request: RoutedRequest, route: Route): Call {
    const nowMs = now();
    return {
      request,
      route,
      id: newRequestId(),
      nowMs,
      timeMs: nowMs,
      startedAtMs: performance.now(),
      address: undefined,
      key: undefined,
      decision: undefined,
      limits: undefined,
      fault: undefined,
    };
  }

  function answerPage(request: Request): ResponseParts {
    const { path } = splitUrl(request.url);
    const allow = pages.has(path) ? PAGE_METHODS : [];
    return pages.read(request, path) ?? withoutOperation(request.method, allow);
  }

  /** Every API response reports limits, even if nothing was counted or the limiter failed. */
  function lastLimits(call: Call): Quota {
    return limiter.peek(call.key ?? cachedKey(call) ?? addressCaller(call), call.timeMs);
  }

  /** A request may be shed because the store is slow, so the store must not be asked about its key. */
  function cachedKey({ request, nowMs }: Call): KnownKey | undefined {
    const token = readToken(request.headers.get('authorization'), environment);
    if (token === undefined || 'error' in token) return undefined;
    const known = keys.peekKey?.(token.secret);
    return known && stateForRequests(known, nowMs) === 'active' ? known : undefined;
  }

  /** Requests without a valid key count against their address. */
  function addressCaller(call: Call): Caller {
    const { perMinute, perDay } = ANONYMOUS_LIMITS;
    return { subject: addressSubject(addressOf(call)), perMinute, perDay };
  }
}

function toFoundKey(known: KnownKey | undefined): FoundKey {
  return { known };
}

/** Undefined if the header is valid, or missing as HTTP/1.0 allows. */
function hostProblem(headers: Headers): Problem | undefined {
  const host = headers.get('host');
  return host === null || HOST.test(host) ? undefined : INVALID_HOST;
}

export function refusalProblem({ refusedBy, limit, retryAfterSeconds }: Refusal): Problem {
  const refused =
    refusedBy === 'ban'
      ? problem('api_key_banned', retryAfterSeconds)
      : problem(`rate_limit_${refusedBy}`, limit, retryAfterSeconds);
  return { ...refused, retryAfterSeconds };
}

function withoutOperation(method: string, allow: readonly string[]): ResponseParts {
  if (allow.length === 0) return problem('route_not_found');
  const headers = { Allow: allow.join(', ') };
  return method === 'OPTIONS'
    ? { status: 204, body: null, headers }
    : { ...problem('method_not_allowed', allow), headers };
}

/** A brownout returns the error of the removal, and says when it ends. */
function removalOf(
  name: OperationName,
  nowMs: number,
  brownouts: readonly Brownout[],
): Problem | undefined {
  const { method, path, deprecation }: Operation = OPERATIONS[name];
  if (deprecation === undefined) return undefined;
  // A brownout ends by the removal.
  const endsAtMs = brownoutAt(brownouts, nowMs)?.endsAtMs;
  const isRemoved = nowMs >= deprecation.removedAt.getTime();
  if (!isRemoved && endsAtMs === undefined) return undefined;
  const operation = `${method} ${API_PREFIX}${path}`;
  const removed = problem('operation_removed', operation, deprecation, endsAtMs);
  if (endsAtMs === undefined) return removed;
  return { ...removed, retryAfterSeconds: secondsUntil(endsAtMs / 1000, nowMs) };
}

/** The part of a thrown value that the log needs. A caller's mistake is not a fault. */
function faultOf(thrown: unknown): unknown {
  if (thrown instanceof StoreUnavailableError) return thrown.cause;
  return thrown instanceof AppError || thrown instanceof IdempotencyKeyReusedError
    ? undefined
    : thrown;
}
