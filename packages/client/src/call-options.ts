import type { PetStatus } from './pet.ts';

/** How requests are sent. The client has these options for all calls, and each call for itself. */
export interface SendOptions {
  /** The time for one attempt, including the response body. Default: 30. */
  readonly timeoutSeconds?: number | undefined;
  /** Retries after the first attempt of a call. Default: 5. */
  readonly maxRetries?: number | undefined;
  /** A longer wait for the rate limit throws `RateLimitError` instead. Default: 120. */
  readonly maxRetryWaitSeconds?: number | undefined;
  /** Added to each request. A call's headers replace those of the client with the same name. */
  readonly headers?: RequestHeaders | undefined;
}

/** Anything that `new Headers()` takes. */
export type RequestHeaders = NonNullable<RequestInit['headers']>;

export interface CallOptions extends SendOptions {
  /** Aborts the call, even while it waits. The call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface CreateOptions extends CallOptions {
  /**
   * Makes it safe to repeat the call within 24 hours: the same key and pet add one pet. By default,
   * each call gets a random key that its retries share.
   */
  readonly idempotencyKey?: string | undefined;
}

interface PetFilter extends CallOptions {
  /** Only pets with this status. */
  readonly status?: PetStatus | undefined;
  /** Only pets with a greater id. */
  readonly after?: bigint | number | undefined;
}

export interface ListPetsOptions extends PetFilter {
  /** The maximum number of pets to return: 1 to 100. Default: 20. */
  readonly limit?: number | undefined;
}

export interface PetsOptions extends PetFilter {
  /** The number of pets in one request: 1 to 100. Default: 100. */
  readonly pageSize?: number | undefined;
}
