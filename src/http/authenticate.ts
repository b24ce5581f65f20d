import { USAGE_PAGE } from '#contract/api.ts';
import { type Problem, problem } from '#contract/errors.ts';
import type { ObservedRequest, Route, RoutedRequest } from '#contract/exchange.ts';
import { HOST_RULE } from '#contract/parameters.ts';
import { type KeyFinder, type KnownKey, stateForRequests } from '#domain/api-key.ts';
import type { Environment } from '#domain/environment.ts';
import { splitToken, type Token } from '#domain/key-secret.ts';
import { ANONYMOUS_LIMITS } from '#domain/plan.ts';
import { addressSubject, type Caller, type Decision } from '#domain/rate-limit.ts';

/** RFC 9112: one host, with an optional port. Two headers arrive as one, joined by a comma. */
const HOST = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+;=-]|%[\da-f]{2})+)(?::\d{0,5})?$/i;
const INVALID_HOST = problem('invalid_parameter', 'header Host', HOST_RULE);

const BEARER = /^Bearer +([^ ].*)/i;

const MISSING_KEY = problem('missing_api_key');

/** The problem of a key in each state. */
const KEY_PROBLEMS = {
  active: undefined,
  revoked: problem('revoked_api_key'),
  expired: problem('expired_api_key'),
  suspended: problem('account_suspended'),
};

const INVALID_KEY: Readonly<Record<Environment, Problem>> = {
  production: problem('invalid_api_key', 'production'),
  staging: problem('invalid_api_key', 'staging'),
};

/** How often the usage of an account may be read. It does not count in the windows of the API. */
const USAGE_LIMITS = { perMinute: 10, perDay: Number.MAX_SAFE_INTEGER };

/** A request on its way through the pipeline, with everything that the steps have found out so far. */
export class Call implements ObservedRequest {
  /** The time of the caller. It differs from `nowMs` only if the account has a test clock. */
  timeMs: number;
  /** The start on the monotonic clock, from which the duration is measured. */
  readonly startedAtMs = performance.now();
  /** The response to a request without a valid key, once the request is counted. */
  rejection = MISSING_KEY;
  key: KnownKey | undefined;
  refusedKey: KnownKey | undefined;
  decision: Decision | undefined;
  fault: unknown;
  #address: string | undefined;

  constructor(
    readonly request: RoutedRequest,
    readonly route: Route,
    readonly id: string,
    readonly nowMs: number,
    private readonly addressOf: (request: Request) => string,
  ) {
    this.timeMs = nowMs;
  }

  /** Most requests never need their address, so it is looked up when it is first read. */
  get address(): string {
    this.#address ??= this.addressOf(this.request);
    return this.#address;
  }

  /**
   * The runtime forgets the address of a client that has disconnected. The pipeline therefore passes every promise
   * through this method before it awaits the promise, so that the address is looked up while it is still known.
   */
  keepAddressDuring<T>(promise: Promise<T>): Promise<T> {
    this.#address = this.address;
    return promise;
  }

  /** The subject that the request counts against: the account of its key, or else its address. */
  get caller(): Caller {
    const { key, refusedKey } = this;
    if (this.#readsUsage) {
      // A refused key has its own limit, so that a stolen key cannot use up that of the account.
      return { subject: `usage:${key?.subject ?? refusedKey?.id}`, ...USAGE_LIMITS };
    }
    if (key !== undefined) return key;
    return { subject: addressSubject(this.address), ...ANONYMOUS_LIMITS };
  }

  /** The words for this subject in the message of a refusal. Nothing has to be said of an account. */
  get limited(): string {
    if (this.#readsUsage) return ` for ${USAGE_PAGE}`;
    // The caller has often forgotten its key.
    return this.key ? '' : ' for requests without a valid API key';
  }

  get #readsUsage(): boolean {
    return !this.route.isApi && (this.key ?? this.refusedKey) !== undefined;
  }
}

/**
 * Returns the token of a call, or undefined if it has none that can be a key. Also sets the rejection that the call gets
 * unless a key is found.
 */
export function tokenOf(call: Call, environment: Environment): Token | undefined {
  const { headers } = call.request;
  const token = hostProblem(headers) ?? readToken(headers.get('authorization'), environment);
  call.rejection = 'error' in token ? token : INVALID_KEY[environment];
  return 'error' in token ? undefined : token;
}

/** Sets the key of a call and the time of its account, or the reason why the key is refused. */
export function acceptKey(known: KnownKey | undefined, call: Call): void {
  if (known === undefined) return;
  const timeMs = call.nowMs + known.clockOffsetMs;
  const refusal = KEY_PROBLEMS[stateForRequests(known, timeMs)];
  if (refusal !== undefined) {
    call.rejection = refusal;
    call.refusedKey = known;
    return;
  }
  call.key = known;
  call.timeMs = timeMs;
}

/** Undefined if the header is valid, or missing as HTTP/1.0 allows. */
export function hostProblem(headers: Headers): Problem | undefined {
  const host = headers.get('host');
  return host === null || HOST.test(host) ? undefined : INVALID_HOST;
}

/** Returns the token of a request, or the problem if it cannot be a key of this environment. */
export function readToken(authorization: string | null, environment: Environment): Token | Problem {
  const [, given] = BEARER.exec(authorization ?? '') ?? [];
  if (given === undefined) return MISSING_KEY;
  const token = splitToken(given);
  if (token === undefined) return INVALID_KEY[environment];
  if (token.environment === environment) return token;
  return problem('invalid_api_key', environment, token.environment);
}

/** Returns the key of a request that is not authenticated, if it is cached. Never asks the store. */
export function cachedKey(
  { request, nowMs }: Call,
  environment: Environment,
  keys: KeyFinder,
): KnownKey | undefined {
  const token = readToken(request.headers.get('authorization'), environment);
  const known = 'error' in token ? undefined : keys.peekKey?.(token.secret);
  return known && stateForRequests(known, nowMs) === 'active' ? known : undefined;
}
