import type { KnownKey } from '../domain/api-key.ts';
import type { Decision, Standing } from '../domain/rate-limit.ts';
import type { Route, RoutedRequest } from './router.ts';

/** A request on its way through the pipeline, and what is known about it so far. */
export interface Call {
  readonly request: RoutedRequest;
  readonly id: string;
  readonly route: Route;
  readonly nowMs: number;
  /** The time of the caller. It differs from `nowMs` only with a test clock, on staging. */
  timeMs: number;
  /** On the monotonic clock. */
  readonly startedAtMs: number;
  key: KnownKey | undefined;
  decision: Decision | undefined;
  /** The window that the response reports. Undefined outside of the API. */
  limits: Standing | undefined;
  /** An error for the log that the caller does not see. */
  fault: unknown;
}

/**
 * The API requests in progress. Without a limit, requests that arrive faster than the store serves them
 * would fill the memory, and all of them would wait until they are late.
 */
export interface RequestsInProgress {
  count: number;
  readonly max: number;
}
