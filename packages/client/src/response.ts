import { fromJson } from './json.ts';

/** A hundred pets are about ten kilobytes. A much longer body is not from the service. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

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

/** Returns the body, or an empty text if it is too long. The headers are used even then. */
export async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return response.text();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let bytes = 0; bytes <= MAX_BODY_BYTES; ) {
    const { done, value } = await reader.read();
    if (done) return new Blob(chunks).text();
    chunks.push(value);
    bytes += value.byteLength;
  }
  await reader.cancel();
  return '';
}

/** The response as callers get it. An error that is logged must not contain the whole body. */
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
  /**
   * The result with the response that it came in. After retries, that is the last response.
   *
   * @example
   * const { data, response } = await store.findPet(42n).withResponse();
   * console.log(data?.name, response.requestId);
   */
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
