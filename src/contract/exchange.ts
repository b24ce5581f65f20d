import type { KnownKey } from '#domain/api-key.ts';
import type { Decision } from '#domain/rate-limit.ts';
import type { ErrorCode, Problem } from './errors.ts';
import type { OperationName } from './operations.ts';

/** A request as the router of the runtime passes it on. */
export type RoutedRequest = Request & {
  /** The parameters of the path, decoded. */
  readonly params?: Readonly<Record<string, string>>;
};

export interface Route {
  /** True if the path starts with the prefix of the API, even if the API has no such path. */
  readonly isApi: boolean;
  /** Undefined if the API does not have this path, or does not have this method on it. */
  readonly operation: OperationName | undefined;
  /** The methods of the path. Empty if the API does not have this path. */
  readonly allow: readonly string[];
}

/** A response without the headers that every response carries. */
export interface ResponseParts {
  readonly status: number;
  /** The body is JSON unless the headers say otherwise. It is null for a response without a body. */
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** A further entry of the Link header. */
  readonly link?: string | undefined;
  readonly error?: ErrorCode;
  readonly retryAfterSeconds?: number | undefined;
}

/** A request as metrics, history and logs see it, at the moment in which its response is sent. */
export interface ObservedRequest {
  readonly request: RoutedRequest;
  readonly id: string;
  readonly route: Route;
  /** The real time at which the request arrived, also if its account has a test clock. */
  readonly nowMs: number;
  /** The address of the client. */
  readonly address: string;
  /** Undefined unless the request has a valid key. */
  readonly key: KnownKey | undefined;
  /** The key of a request whose key is revoked, expired or of a suspended account. It counts against the address. */
  readonly refusedKey: KnownKey | undefined;
  /** Why a request without a valid key is refused, also if its response says that the address sent too many. */
  readonly rejection: Problem;
  /** Undefined if the request was not counted. */
  readonly decision: Decision | undefined;
  /** An error for the log that the caller does not see. */
  readonly fault: unknown;
}
