import type { AnimalStoreError, OperationName } from './errors.ts';

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

/** An attempt failed. Aborted attempts do not count. */
export interface FailureEvent extends Pick<RequestEvent, 'operation' | 'attempt'> {
  readonly error: AnimalStoreError;
}

/** One call waits before its next attempt, or the whole client waits before any request. */
export interface WaitEvent {
  /**
   * `backoff`: one call waits after `error`. For the whole client: `retry-after`: the service asked
   * for it; `quota`: the limit is used up; `silence`: the service does not respond.
   */
  readonly reason: 'backoff' | 'retry-after' | 'quota' | 'silence';
  readonly waitSeconds: number;
  readonly error?: AnimalStoreError;
}

/** For logs and metrics. Hooks never see the API key, and their errors are ignored. */
export interface Hooks {
  readonly onRequest?: (event: RequestEvent) => void;
  readonly onResponse?: (event: ResponseEvent) => void;
  readonly onFailure?: (event: FailureEvent) => void;
  readonly onWait?: (event: WaitEvent) => void;
}

export const HOOK_NAMES = ['onRequest', 'onResponse', 'onFailure', 'onWait'] as const;

/** Calls a hook if it is set, and ignores its errors. */
export function notify<Event>(hook: ((event: Event) => unknown) | undefined, event: Event): void {
  // The async function also catches a promise that the hook rejects.
  (async () => hook?.(event))().catch(() => {});
}
