import { failureOf, problem, SERVICE_UNAVAILABLE } from '#contract/errors.ts';
import type { ObservedRequest, ResponseParts, Route, RoutedRequest } from '#contract/exchange.ts';
import { withDate } from '#contract/headers.ts';
import { OPERATIONS, type Operation } from '#contract/operations.ts';
import type { KeyFinder, KnownKey } from '#domain/api-key.ts';
import { andThen } from '#domain/backend.ts';
import type { Brownout } from '#domain/brownout.ts';
import type { Environment } from '#domain/environment.ts';
import type { Token } from '#domain/key-secret.ts';
import type { PetStore } from '#domain/pet.ts';
import type { Decision, Quota } from '#domain/rate-limit.ts';
import type { UsageSources } from '#domain/usage-report.ts';
import type { JsonValue } from '#formats/json.ts';
import { acceptKey, Call, cachedKey, hostProblem, tokenOf } from './authenticate.ts';
import { petHandlers } from './pets.ts';
import { discardBody, hasUnreadBody, readJsonBody, waitForTurnToClose } from './read-body.ts';
import { preflightParts, type ResponseWriter } from './response.ts';
import {
  answerPage,
  answerUsage,
  answerWithoutOperation,
  type Pages,
  problemIfRemoved,
  refusalProblem,
  wantsUsage,
} from './unserved.ts';

/** The parts that the pipeline uses. A port names its implementations, and `openServiceParts` chooses. */
export interface Dependencies extends UsageSources {
  readonly environment: Environment;
  readonly pets: PetStore;
  readonly keys: KeyFinder;
  /** Planned outages during which getPet returns the error that it will return after its removal. */
  readonly brownouts: readonly Brownout[];
  /** While this many requests are in progress, further requests get a 503. */
  readonly maxRequests: number;
  readonly now: () => number;
  readonly newRequestId: () => string;
  /** On staging, wraps the steps of the pipeline, in order to change what they do. */
  readonly decorate?: ((steps: Steps) => Steps) | undefined;
  /** Called before every response is sent. Must not throw. */
  readonly observe: (call: ObservedRequest, parts: ResponseParts, seconds: number) => void;
  /** Called when a response hides an error that the operator must see. Must not throw. */
  readonly onFault: (call: ObservedRequest, parts: ResponseParts) => void;
  readonly onRequestShed: () => void;
}

/** The parts of the listener that the pipeline uses. */
interface PublicListener {
  readonly pages: Pages;
  readonly responses: ResponseWriter;
  readonly publicUrl: string;
  readonly addressOf: (request: Request) => string;
}

/** The steps of the pipeline that can be decorated. */
export type Steps = Pick<Pipeline, 'findKey' | 'count' | 'serve' | 'respond'>;

/** Finds `close` in a list of connection options. */
const CLOSE = /(?:^|,)\s*close\s*(?:,|$)/i;

const READ_ONLY_KEY = problem('read_only_key');

/**
 * Turns each request into a response. The listener has matched the request to an operation. `answer` shows the
 * other steps in their order: authenticate, count, serve and respond.
 */
export class Pipeline {
  readonly #steps: Steps;
  readonly #handlers;
  /**
   * The API requests in progress. Without a limit, requests that arrive faster than the store serves them
   * would fill the memory, and all of them would wait until they time out.
   */
  #inProgress = 0;

  constructor(private readonly parts: Dependencies & PublicListener) {
    this.#steps = parts.decorate?.(this) ?? this;
    this.#handlers = petHandlers(parts.pets, parts.brownouts, parts.publicUrl);
  }

  get requestsInProgress(): number {
    return this.#inProgress;
  }

  /**
   * A step may return a value or a promise, and a value is not awaited: `andThen` passes it to the next step at once,
   * with the call. Awaiting every value, or an `async` function for each step, would take more CPU time: see
   * docs/decisions/012-async-pipeline.md.
   */
  async answer(request: RoutedRequest, route: Route): Promise<Response> {
    const steps = this.#steps;
    const { environment, newRequestId, now, addressOf, observe, onFault } = this.parts;
    const call = new Call(request, route, newRequestId(), now(), addressOf);
    let parts = this.#answerEarly(call);
    if (parts === undefined) {
      this.#inProgress++;
      try {
        const token = tokenOf(call, environment);
        const authenticated = andThen(token && steps.findKey(call, token), acceptKey, call);
        const counted = andThen(authenticated, this.#count, call);
        const served = andThen(counted, this.#serveIfAllowed, call);
        parts = served instanceof Promise ? await call.keepAddressDuring(served) : served;
      } catch (error) {
        const { shown, fault } = failureOf(error);
        call.fault = fault;
        parts = shown;
      }
      this.#inProgress--;
    }
    if (hasUnreadBody(request)) {
      parts = await call.keepAddressDuring(discardBody(request, parts));
    }
    if (parts.headers?.['Connection']) await call.keepAddressDuring(waitForTurnToClose());
    if (call.fault !== undefined) onFault(call, parts);
    observe(call, parts, (performance.now() - call.startedAtMs) / 1000);
    return steps.respond(call, parts);
  }

  /**
   * Answers pages, preflights, and requests that arrive while `maxRequests` others are in progress. They skip all
   * steps. Returns undefined for any other request.
   */
  #answerEarly({ request, route }: Call): ResponseParts | undefined {
    const { pages, environment, maxRequests, onRequestShed } = this.parts;
    const { method, headers } = request;
    if (!route.isApi && !wantsUsage(request)) {
      return hostProblem(headers) ?? answerPage(pages, request);
    }
    // A browser sends a preflight before a request to another origin. It never carries a key.
    const isPreflight = method === 'OPTIONS' && headers.has('access-control-request-method');
    if (isPreflight && !hostProblem(headers)) return preflightParts(route.allow, environment);
    if (this.#inProgress < maxRequests) return undefined;
    onRequestShed();
    return SERVICE_UNAVAILABLE;
  }

  findKey(_call: Call, { secret }: Token) {
    return this.parts.keys.findKey(secret);
  }

  readonly #count = (_: unknown, call: Call) => this.#steps.count(call);

  /** Counts the request against the account of its key, or against its address if it has no valid key. */
  count({ caller, timeMs }: Call) {
    return this.parts.limiter.take(caller, timeMs);
  }

  readonly #serveIfAllowed = (decision: Decision, call: Call) => {
    call.decision = decision;
    if (decision.refusedBy !== undefined) return refusalProblem(decision, call.limited);
    return call.key === undefined ? call.rejection : this.#steps.serve(call, call.key);
  };

  serve(call: Call, key: KnownKey): ResponseParts | Promise<ResponseParts> {
    const { request, route, timeMs } = call;
    if (!route.isApi) return answerUsage(this.parts, key, call.nowMs);
    if (route.operation === undefined) return answerWithoutOperation(request.method, route.allow);
    const removal = problemIfRemoved(route.operation, timeMs, this.parts.brownouts);
    if (removal !== undefined) return removal;
    const { method, body }: Operation = OPERATIONS[route.operation];
    if (key.isReadOnly && method !== 'GET') return READ_ONLY_KEY;
    const handle = this.#handlers[route.operation];
    if (body === undefined) return handle(call, key);
    return this.#readBody(request).then((json) => handle(call, key, json));
  }

  /** A request does not count as in progress while its body arrives, so that slow clients do not shut out others. */
  #readBody(request: Request): Promise<JsonValue> {
    this.#inProgress--;
    return readJsonBody(request).finally(() => this.#inProgress++);
  }

  respond(call: Call, parts: ResponseParts): Response {
    const { request, route, id, decision } = call;
    const { method, headers } = request;
    const limits = route.isApi ? (decision ?? this.#lastKnownQuota(call)) : undefined;
    const response = this.parts.responses.write(route, id, parts, limits);
    // After CONNECT, the runtime treats further requests as data of a tunnel and never responds to
    // them. If the request has `Connection: close`, the runtime closes the connection, but does not
    // put that header into the response.
    if (method === 'CONNECT' || CLOSE.test(headers.get('connection') ?? '')) {
      response.headers.set('Connection', 'close');
    }
    // The runtime adds a date to all responses except those to HEAD.
    return method === 'HEAD' ? withDate(response, call.timeMs) : response;
  }

  /** Every API response reports limits, even if nothing was counted or the limiter failed. */
  #lastKnownQuota(call: Call): Quota {
    const { environment, keys, limiter } = this.parts;
    // A request that was shed has no key yet. The store may be slow, so only the cache is asked for the key.
    const caller = call.key ?? cachedKey(call, environment, keys) ?? call.caller;
    return limiter.peek(caller, call.timeMs);
  }
}
