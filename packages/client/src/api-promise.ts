import { type ApiResponse, withoutBody } from './response.ts';

export interface WithResponse<T> {
  readonly data: T;
  readonly response: ApiResponse;
}

/** The promise of a call's result. */
export interface ApiPromise<T> extends Promise<T> {
  /** The result with the response that it came in. After retries, that is the last response. */
  withResponse(): Promise<WithResponse<T>>;
}

/** Starts the call. Errors that the call throws reject the promise. */
export function apiPromise<T>(call: () => Promise<WithResponse<T>>): ApiPromise<T> {
  const result = call().then(({ data, response }) => ({ data, response: withoutBody(response) }));
  const promise = result.then(({ data }) => data);
  return Object.assign(promise, {
    withResponse() {
      // The caller handles the errors of the new promise, so those of `promise` are not unhandled.
      promise.catch(() => {});
      return result.then();
    },
  });
}
