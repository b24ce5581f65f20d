import type { OperationName } from './error-code.ts';
import type { AnimalStoreError } from './errors.ts';

export interface RequestEvent {
  readonly operation: OperationName;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
}

export interface ResponseEvent extends RequestEvent {
  readonly status: number;
  readonly requestId: string | undefined;
  readonly durationSeconds: number;
}

/** An attempt ended without success. One that its caller aborts is not told. */
export interface FailureEvent {
  readonly operation: OperationName;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly error: AnimalStoreError;
}

/** One call waits before its next attempt, or the whole client before any request. */
export interface WaitEvent {
  /**
   * `backoff`: a call waits after `error`. Of the whole client: `retry-after`, as it was told;
   * `quota`, since the requests are used up; `silence`, since the service does not answer.
   */
  readonly reason: 'backoff' | 'retry-after' | 'quota' | 'silence';
  readonly waitSeconds: number;
  readonly error?: AnimalStoreError;
}

/** For logs and metrics. No hook is shown the API key, and one that throws is not heard. */
export interface Hooks {
  readonly onRequest?: (event: RequestEvent) => void;
  readonly onResponse?: (event: ResponseEvent) => void;
  readonly onFailure?: (event: FailureEvent) => void;
  readonly onWait?: (event: WaitEvent) => void;
}

export const HOOK_NAMES = ['onRequest', 'onResponse', 'onFailure', 'onWait'] as const;

/** Calls a hook, if there is one; what it throws or rejects with is its own affair. */
export function notify<Event>(hook: ((event: Event) => unknown) | undefined, event: Event): void {
  // An async function, so that a hook's rejected promise is caught as well.
  (async () => hook?.(event))().catch(() => {});
}
