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
import type { Token } from '../domain/key-secret.ts';
import type { PetStore } from '../domain/pet.ts';
import { ANONYMOUS_LIMITS } from '../domain/plan.ts';
import {
  type Caller,
  type Decision,
  type Limiter,
  type Refusal,
  type Standing,
  standing,
  usageAt,
} from '../domain/rate-limit.ts';
import type { Failure } from '../domain/staging.ts';
import { formatDay } from '../domain/time-text.ts';
import { INVALID_KEY, keyProblem, readToken } from './authenticate.ts';
import type { Call, RequestsInProgress } from './call.ts';
import { isPreflight, preflightParts } from './cors.ts';
import { petHandlers } from './pets.ts';
import { errorParts, type ResponseParts, type ResponseWriter } from './response.ts';
import { type Route, type RoutedRequest, splitUrl } from './router.ts';

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

/** What only staging does with a request. */
export interface Staging {
  /** Finds a key as of the test time of its account, which the request may move. */
  findKey(token: Token, headers: Headers, nowMs: number): Promise<FoundKey>;
  /** The decision that a failure stands for. Undefined if the limiter must decide. */
  refuse(failure: Failure, caller: Caller, timeMs: number): Decision | undefined;
  serve(
    failure: Failure,
    keyId: number,
    call: Call,
    serve: (call: Call) => ResponseParts | Promise<ResponseParts>,
  ): Promise<ResponseParts>;
}

interface FoundKey {
  /** Undefined without a valid key. */
  readonly known: KnownKey | undefined;
  /** The failure that the request asks for, on staging. */
  readonly failure?: Failure | undefined;
  /** What is wrong with the request, to be said once it is counted. */
  readonly problem?: Problem | undefined;
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
  { pages, responses, publicUrl, addressOf, requests, onRequestShed }: PublicListener,
): (request: RoutedRequest, route: Route) => Promise<Response> {
  const environment = staging === undefined ? 'production' : 'staging';
  const isGetPetGone = (timeMs: number): boolean =>
    removalOf('getPet', timeMs, brownouts) !== undefined;
  const handlers = petHandlers(pets, publicUrl, requests, isGetPetGone);

  return async function answer(request: RoutedRequest, route: Route): Promise<Response> {
    const call = newCall(request, route);
    const parts = route.isApi ? await answerApi(call) : answerPage(call);
    if (call.fault !== undefined) onFault(call, parts);
    observe(call, parts, (performance.now() - call.startedAtMs) / 1000, addressOf);
    return respond(call, parts);
  };

  /** Preflights and requests above the limit leave before the pipeline. */
  async function answerApi(call: Call): Promise<ResponseParts> {
    const { method, headers } = call.request;
    if (method === 'OPTIONS' && isPreflight(headers) && hostProblem(headers) === undefined) {
      call.limits = await peek(call);
      return preflightParts(call.route.allow, staging !== undefined);
    }
    if (requests.count >= requests.max) {
      onRequestShed();
      // It must not wait for Redis.
      call.limits = unusedLimits(call);
      return errorParts(SERVICE_UNAVAILABLE);
    }
    requests.count++;
    const parts = await handle(call).catch((error) => {
      call.fault = faultOf(error);
      return errorParts(toProblem(error));
    });
    call.limits = call.decision ?? (await peek(call));
    requests.count--;
    return parts;
  }

  /** The pipeline of a request that was matched to a route: authenticate, count, serve. */
  async function handle(call: Call): Promise<ResponseParts> {
    const { known, failure, problem } = await authenticate(call);
    const caller = known?.caller ?? addressCaller(call.request);
    const simulated = failure && staging?.refuse(failure, caller, call.timeMs);
    const decision = simulated ?? (await limiter.take(caller, call.timeMs));
    call.decision = decision;
    if (decision.refusedBy !== undefined) return errorParts(refusalProblem(decision));
    if (known === undefined || problem !== undefined) {
      return errorParts(problem ?? INVALID_KEY[environment]);
    }
    if (failure === undefined || staging === undefined) return await serve(call, known);
    return await staging.serve(failure, known.key.id, call, (served) => serve(served, known));
  }

  /** Finds the key of a request and the time of its account. */
  async function authenticate(call: Call): Promise<FoundKey> {
    const { headers } = call.request;
    const token = hostProblem(headers) ?? readToken(headers.get('authorization'), environment);
    if ('code' in token) return { known: undefined, problem: token };
    const found: FoundKey =
      staging === undefined
        ? { known: await keys.findKey(token.secret) }
        : await staging.findKey(token, headers, call.nowMs);
    const { known } = found;
    if (known === undefined) return found;
    const timeMs = call.nowMs + known.account.clockOffsetMs;
    const problem = keyProblem(known, timeMs);
    if (problem !== undefined) return { known: undefined, problem };
    call.key = known;
    call.timeMs = timeMs;
    return found;
  }

  function respond(call: Call, parts: ResponseParts): Response {
    const { method, headers } = call.request;
    const response = responses.write(call.route, call.id, parts, call.limits);
    // After CONNECT, the runtime takes all that follows for the contents of a tunnel, and would never
    // respond. After `Connection: close`, it closes the connection, but does not say so.
    if (method === 'CONNECT' || CLOSE.test(headers.get('connection') ?? '')) {
      response.headers.set('Connection', 'close');
    }
    const hasOwnDate = method === 'HEAD' || staging !== undefined;
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
      key: undefined,
      decision: undefined,
      limits: undefined,
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

  function answerPage({ request }: Call): ResponseParts {
    const { path } = splitUrl(request.url);
    const malformed = hostProblem(request.headers);
    if (malformed !== undefined) return errorParts(malformed);
    const allow = pages.has(path) ? PAGE_METHODS : [];
    return pages.read(request, path) ?? withoutOperation(request.method, allow);
  }

  /** Every API response reports limits, even if nothing was counted or the limiter failed. */
  async function peek(call: Call): Promise<Standing> {
    try {
      return await limiter.peek(addressCaller(call.request), call.nowMs);
    } catch (error) {
      call.fault ??= error;
      return unusedLimits(call);
    }
  }

  /** Those of an address that has sent nothing. */
  function unusedLimits({ request, nowMs }: Call): Standing {
    const { subject, limits } = addressCaller(request);
    return standing(usageAt(undefined, subject, nowMs), limits);
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
