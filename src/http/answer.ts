import { USAGE_PAGE } from '#contract/api.ts';
import { failureOf, problem, SERVICE_UNAVAILABLE } from '#contract/errors.ts';
import type { ObservedRequest, ResponseParts, Route, RoutedRequest } from '#contract/exchange.ts';
import { CACHE_HEADERS, withDate } from '#contract/headers.ts';
import { OPERATIONS, type Operation } from '#contract/operations.ts';
import type { KeyFinder, KnownKey } from '#domain/api-key.ts';
import { andThen } from '#domain/backend.ts';
import type { Brownout } from '#domain/brownout.ts';
import type { Environment } from '#domain/environment.ts';
import type { Token } from '#domain/key-secret.ts';
import type { PetStore } from '#domain/pet.ts';
import type { Decision, Quota } from '#domain/rate-limit.ts';
import { readUsage, type UsageSources } from '#domain/usage-report.ts';
import type { JsonValue } from '#formats/json.ts';
import { acceptKey, Call, cachedKey, hostProblem, problemOfKey, tokenOf } from './authenticate.ts';
import { petHandlers } from './pets.ts';
import { discardBody, hasUnreadBody, readJsonBody, waitForTurnToClose } from './read-body.ts';
import { preflightParts, type ResponseWriter } from './response.ts';
import {
  answerPage,
  answerWithoutOperation,
  type Pages,
  problemIfRemoved,
  refusalProblem,
  WITHOUT_KEY,
  wantsUsage,
} from './unserved.ts';

/** The parts of the program that the pipeline uses. Each port names its implementations; `openServiceParts` chooses. */
export interface Dependencies extends UsageSources {
  readonly environment: Environment;
  readonly pets: PetStore;
  readonly keys: KeyFinder;
  /** Planned outages during which getPet returns the error that it will return after its removal. */
  readonly brownouts: readonly Brownout[];
  readonly now: () => number;
  readonly newRequestId: () => string;
  /** On staging, wraps the steps of the pipeline, in order to change what they do. */
  readonly decorate?: ((steps: Steps) => Steps) | undefined;
  /** Called before every response is sent. Must not throw. */
  readonly observe: (call: ObservedRequest, parts: ResponseParts, seconds: number) => void;
  /** Called when a response hides an error that the operator must see. Must not throw. */
  readonly onFault: (call: ObservedRequest, parts: ResponseParts) => void;
}

/** The parts of the listener that the pipeline uses. */
interface PublicListener {
  readonly pages: Pages;
  readonly responses: ResponseWriter;
  readonly publicUrl: () => string;
  readonly addressOf: (request: Request) => string;
  readonly maxRequests: number;
  readonly onRequestShed: () => void;
}

/** The steps of the pipeline that can be decorated. */
export type Steps = Pick<Pipeline, 'findKey' | 'count' | 'serve' | 'respond'>;

/** Finds `close` in a list of connection options. */
const CLOSE = /(?:^|,)\s*close\s*(?:,|$)/i;

/** How often an account may read its usage. */
const USAGE_LIMITS = { perMinute: 30, perDay: Number.MAX_SAFE_INTEGER };
const USAGE_HEADERS = { ...CACHE_HEADERS, Vary: 'Accept, Authorization' };

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
        const found = token && steps.findKey(call, token);
        const served = route.isApi
          ? andThen(
              andThen(andThen(found, acceptKey, call), this.#count, call),
              this.#serveIfAllowed,
              call,
            )
          : andThen(found, this.#serveUsage, call);
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
    if (decision.refusedBy !== undefined) {
      return refusalProblem(decision, call.key === undefined ? WITHOUT_KEY : '');
    }
    return call.key === undefined ? call.rejection : this.#steps.serve(call, call.key);
  };

  serve(call: Call, key: KnownKey): ResponseParts | Promise<ResponseParts> {
    const { request, route, timeMs } = call;
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

  /**
   * A known key counts in a window that has nothing to do with those of the API. If the key is refused, it has its own
   * window, so that a stolen key cannot use up that of the account. Any other key counts as in the API, so that nobody
   * can try more of them here. The call stays without a key, because the history has only requests to the API.
   */
  readonly #serveUsage = async (key: KnownKey | undefined, call: Call): Promise<ResponseParts> => {
    if (key === undefined) return andThen(this.#steps.count(call), this.#serveIfAllowed, call);
    const rejection = problemOfKey(key, call.nowMs + key.clockOffsetMs);
    const subject = `usage:${rejection ? key.id : key.subject}`;
    const decision = await this.parts.limiter.take({ subject, ...USAGE_LIMITS }, call.nowMs);
    if (decision.refusedBy !== undefined) return refusalProblem(decision, ` for ${USAGE_PAGE}`);
    if (rejection !== undefined) return rejection;
    const report = await readUsage(this.parts, key, call.nowMs);
    return { status: 200, body: JSON.stringify(report), headers: USAGE_HEADERS };
  };

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
