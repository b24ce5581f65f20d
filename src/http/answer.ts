import { API_PREFIX } from '../contract/api.ts';
import type { Deprecation } from '../contract/deprecation.ts';
import {
  AppError,
  type Problem,
  problem,
  SERVICE_UNAVAILABLE,
  toProblem,
} from '../contract/errors.ts';
import { withDate } from '../contract/headers.ts';
import { OPERATIONS, type Operation, type OperationName } from '../contract/operations.ts';
import { addressSubject } from '../domain/address-subject.ts';
import type { KeyFinder, KnownKey } from '../domain/api-key.ts';
import { type Brownout, brownoutAt } from '../domain/brownout.ts';
import { IdempotencyKeyReusedError, StoreUnavailableError } from '../domain/error.ts';
import type { PetStore } from '../domain/pet.ts';
import { ANONYMOUS_LIMITS } from '../domain/plan.ts';
import {
  type Caller,
  type Limiter,
  type Refusal,
  type Standing,
  standing,
  usageAt,
} from '../domain/rate-limit.ts';
import { formatDay } from '../domain/time-text.ts';
import { authenticate } from './authenticate.ts';
import type { Call, RequestsInProgress } from './call.ts';
import { isPreflight, preflightParts } from './cors.ts';
import { type Handler, petHandlers } from './pets.ts';
import { errorParts, type ResponseParts, type ResponseWriter } from './response.ts';
import type { Route } from './router.ts';

/** The parts of the program that the pipeline uses. */
export interface Dependencies {
  readonly pets: PetStore;
  readonly keys: KeyFinder;
  readonly limiter: Limiter;
  /** The times in which getPet returns the error of its removal. */
  readonly brownouts: readonly Brownout[];
  /** Undefined in production. */
  readonly staging?: Staging | undefined;
  readonly now: () => number;
  readonly newRequestId: () => string;
  /** Called with every response. Must not throw. `addressOf` finds the address of a client. */
  readonly observe: (
    call: Readonly<Call>,
    parts: ResponseParts,
    seconds: number,
    addressOf: (request: Request) => string,
  ) => void;
  /** Called when a response hides an error that the operator must see. Must not throw. */
  readonly onFault: (call: Readonly<Call>, parts: ResponseParts) => void;
}

/** What a staging deployment adds to the pipeline. */
export interface Staging {
  /** Keys as of the test time of their account. A request can move that time with a header. */
  keysFor(headers: Headers, nowMs: number): KeyFinder;
  /** Adds the failures that a key simulates. */
  simulate(serve: Handler, connections: Connections): Handler;
}

/** What a simulated failure does to the connection of its request. */
export interface Connections {
  /** Lets it be silent for this long, until the response. */
  keepOpen(request: Request, seconds: number): void;
}

/** The pages outside of the API. */
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
  readonly addressOf: (request: Request) => string;
  readonly requests: RequestsInProgress;
  readonly onRequestShed: () => void;
  readonly connections: Connections;
}

/** RFC 9112: one host, with an optional port. Two headers arrive as one, joined by a comma. */
const HOST = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+;=-]|%[\da-f]{2})+)(?::\d{0,5})?$/i;
const INVALID_HOST = problem(
  'invalid_parameter',
  'header Host',
  'must be a single host, with an optional port',
);

/** In a list of connection options. */
const CLOSE = /(?:^|,)\s*close\s*(?:,|$)/i;

const PAGE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** Makes the function that turns a request into a response. */
export function answerWith(
  { pets, keys, limiter, brownouts, staging, now, newRequestId, observe, onFault }: Dependencies,
  { pages, responses, publicUrl, addressOf, requests, onRequestShed, connections }: PublicListener,
): (request: Request, route: Route) => Promise<Response> {
  const isGetPetGone = (nowMs: number): boolean =>
    removalOf('getPet', nowMs, brownouts) !== undefined;
  const handlers = petHandlers(pets, publicUrl, requests, isGetPetGone);
  const serveOrFail = staging?.simulate(serve, connections) ?? serve;

  // Awaiting only promises saves 2.8 % of the CPU time of a getPet (docs/decisions/012-async-pipeline.md).
  return async function answer(request: Request, route: Route): Promise<Response> {
    const { method, headers } = request;
    const call = newCall(request, route);
    const isAdmitted = route.isApi && requests.count < requests.max;
    if (isAdmitted) requests.count++;
    let parts: ResponseParts | Promise<ResponseParts>;
    try {
      const malformed = hostProblem(headers);
      if (!route.isApi) parts = malformed ? errorParts(malformed) : readPage(request, route.path);
      else if (method === 'OPTIONS' && isPreflight(headers) && !malformed) {
        parts = preflightParts(route.allow, staging !== undefined);
      } else if (!isAdmitted) {
        parts = errorParts(SERVICE_UNAVAILABLE);
        onRequestShed();
      } else {
        const known = staging?.keysFor(headers, call.nowMs) ?? keys;
        const authorization = headers.get('authorization');
        const checked =
          malformed ?? authenticate(authorization, known, call.nowMs, staging !== undefined);
        const key = checked instanceof Promise ? await checked : checked;
        if ('caller' in key) {
          call.key = key;
          call.timeMs += key.caller.test?.offsetMs ?? 0;
        }
        const taken = limiter.take(call.key?.caller ?? addressCaller(request));
        const decision = taken instanceof Promise ? await taken : taken;
        call.decision = decision;
        if (decision.refusedBy !== undefined) parts = errorParts(refusalProblem(decision));
        else if ('code' in key) parts = errorParts(key);
        else parts = serveOrFail(call, key);
      }
      if (parts instanceof Promise) parts = await parts;
    } catch (error) {
      parts = errorParts(toProblem(error));
      call.fault = faultOf(error);
    }
    const limits = call.decision ?? (route.isApi ? await peek(call, isAdmitted) : undefined);
    if (isAdmitted) requests.count--;
    if (call.fault !== undefined) onFault(call, parts);
    observe(call, parts, (performance.now() - call.startedAtMs) / 1000, addressOf);
    const response = responses.write(route, call.id, parts, limits);
    // After CONNECT, the runtime takes all that follows for the contents of a tunnel, and would never
    // respond. After `Connection: close`, it closes the connection, but does not say so.
    if (method === 'CONNECT' || CLOSE.test(headers.get('connection') ?? '')) {
      response.headers.set('Connection', 'close');
    }
    const hasOwnDate = method === 'HEAD' || staging !== undefined;
    return hasOwnDate ? withDate(response, call.timeMs) : response;
  };

  function newCall(request: Request, route: Route): Call {
    const nowMs = now();
    return {
      request,
      route,
      id: newRequestId(),
      nowMs,
      timeMs: nowMs,
      startedAtMs: performance.now(),
      key: undefined,
      decision: undefined,
      fault: undefined,
    };
  }

  function serve(call: Call, key: KnownKey): ResponseParts | Promise<ResponseParts> {
    const { request, route } = call;
    if (route.operation === undefined) return withoutOperation(request.method, route.allow);
    const removal = removalOf(route.operation, call.timeMs, brownouts);
    if (removal !== undefined) return errorParts(removal);
    return handlers[route.operation](call, key);
  }

  function readPage(request: Request, path: string): ResponseParts {
    const allow = pages.has(path) ? PAGE_METHODS : [];
    return pages.read(request, path) ?? withoutOperation(request.method, allow);
  }

  /** Every API response reports limits, even if nothing was counted or the limiter failed. */
  async function peek(call: Call, isAdmitted: boolean): Promise<Standing> {
    const caller = addressCaller(call.request);
    try {
      // A request that is shed must not wait for Redis.
      if (isAdmitted) return await limiter.peek(caller);
    } catch (error) {
      call.fault ??= error;
    }
    return standing(usageAt(undefined, caller.subject, call.nowMs), caller.limits);
  }

  /** Requests without a valid key count against their address. */
  function addressCaller(request: Request): Caller {
    return { subject: addressSubject(addressOf(request)), limits: ANONYMOUS_LIMITS };
  }
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
  if (allow.length === 0) return errorParts(problem('route_not_found'));
  const headers = { Allow: allow.join(', ') };
  return method === 'OPTIONS'
    ? { status: 204, body: null, headers }
    : { ...errorParts(problem('method_not_allowed', allow)), headers };
}

/** A brownout rehearses the removal, so clients get the same error. */
function removalOf(
  name: OperationName,
  nowMs: number,
  brownouts: readonly Brownout[],
): Problem | undefined {
  const { deprecation }: Operation = OPERATIONS[name];
  if (deprecation === undefined) return undefined;
  if (nowMs >= deprecation.removedAt.getTime()) return operationRemoved(name, deprecation);
  const brownout = brownoutAt(brownouts, nowMs);
  if (brownout === undefined) return undefined;
  const { endsAtMs } = brownout;
  const rehearsal = operationRemoved(name, deprecation, endsAtMs);
  return { ...rehearsal, retryAfterSeconds: Math.ceil((endsAtMs - nowMs) / 1000) };
}

function operationRemoved(
  name: OperationName,
  { removedAt, advice }: Deprecation,
  rehearsalEndMs?: number,
): Problem {
  const { method, path } = OPERATIONS[name];
  const operation = `${method} ${API_PREFIX}${path}`;
  return problem(
    'operation_removed',
    operation,
    formatDay(removedAt.getTime()),
    advice,
    rehearsalEndMs,
  );
}

/** The part of a thrown value that the log needs. A caller's mistake is not a fault. */
function faultOf(thrown: unknown): unknown {
  if (thrown instanceof StoreUnavailableError) return thrown.cause;
  return thrown instanceof AppError || thrown instanceof IdempotencyKeyReusedError
    ? undefined
    : thrown;
}
