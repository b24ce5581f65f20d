import { problem } from '#contract/errors.ts';
import type { ObservedRequest, Route, RoutedRequest } from '#contract/exchange.ts';
import type { KnownKey } from '#domain/api-key.ts';
import { ANONYMOUS_LIMITS } from '#domain/plan.ts';
import { addressSubject, type Caller, type Decision } from '#domain/rate-limit.ts';

export const MISSING_KEY = problem('missing_api_key');

/** A request on its way through the pipeline, with everything that the steps have found out so far. */
export class Call implements ObservedRequest {
  /** The time of the caller. It differs from `nowMs` only if the account has a test clock. */
  timeMs: number;
  /** The start on the monotonic clock, from which the duration is measured. */
  readonly startedAtMs = performance.now();
  /** The response to a request without a valid key, once the request is counted. */
  rejection = MISSING_KEY;
  key: KnownKey | undefined;
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
    if (this.key !== undefined) return this.key;
    const { perMinute, perDay } = ANONYMOUS_LIMITS;
    return { subject: addressSubject(this.address), perMinute, perDay };
  }
}
