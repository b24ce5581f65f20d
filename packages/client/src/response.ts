import { fromJson } from './json.ts';

/** A response without its body, which the client has read. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Quote it when you report a problem to the service's operator. */
  readonly requestId: string | undefined;
  /** The address of the request. */
  readonly url: string;
}

export interface ReceivedResponse extends ApiResponse {
  readonly text: string;
  /** By this machine's clock. */
  readonly receivedAtMs: number;
}

/** For callers. Logs of an error must not contain the whole body. */
export function withoutBody({ status, headers, requestId, url }: ApiResponse): ApiResponse {
  return { status, headers, requestId, url };
}

/** The parsed body, or undefined if it is not JSON. */
export function bodyOf({ text }: ReceivedResponse): unknown {
  try {
    return fromJson(text);
  } catch {
    return undefined;
  }
}

/** The code and message of an error response, or undefined if the body is not an Error. */
export function errorBodyOf(
  response: ReceivedResponse,
): { code: string; message: string } | undefined {
  const { code, message, status } = Object(bodyOf(response));
  return response.status >= 400 &&
    typeof code === 'string' &&
    typeof message === 'string' &&
    status === BigInt(response.status)
    ? { code, message }
    : undefined;
}

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
