import type { KnownKey } from '../domain/api-key.ts';
import type { Environment } from '../domain/environment.ts';
import type { Token } from '../domain/key-secret.ts';
import type { Caller, Decision, Quota } from '../domain/rate-limit.ts';
import type { ErrorCode, Problem } from './errors.ts';
import type { OperationName } from './operations.ts';

/** A request as the router of the runtime passes it on. */
export type RoutedRequest = Request & {
  /** The parameters of the path, decoded. */
  readonly params?: Readonly<Record<string, string>>;
};

export interface Route {
  /** The path starts with the prefix of the API, whether or not the API has it. */
  readonly isApi: boolean;
  /** Undefined when the API has no such path, or not with this method. */
  readonly operation: OperationName | undefined;
  /** The methods of the path; empty when the API has no such path. */
  readonly allow: readonly string[];
}

/** A request on its way through the pipeline, and what is known about it so far. */
export interface Call {
  readonly request: RoutedRequest;
  readonly id: string;
  readonly route: Route;
  readonly nowMs: number;
  /** The time of the caller. It differs from `nowMs` only with a test clock. */
  timeMs: number;
  /** On the monotonic clock. */
  readonly startedAtMs: number;
  /** The address of the client, once it was needed. */
  address: string | undefined;
  key: KnownKey | undefined;
  decision: Decision | undefined;
  /** The window that the response reports. Undefined outside the API. */
  limits: Quota | undefined;
  /** An error for the log that the caller does not see. */
  fault: unknown;
}

/** A response without the headers that every response carries. */
export interface ResponseParts {
  readonly status: number;
  /** JSON unless the headers say otherwise; null for a response without a body. */
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** A further entry of the Link header. */
  readonly link?: string | undefined;
  readonly error?: ErrorCode;
  readonly retryAfterSeconds?: number | undefined;
}

/** Serves a request that was authenticated and counted. */
export type Serve = (call: Call) => ResponseParts | Promise<ResponseParts>;

/** The key of a request, and how the request is treated differently. */
export interface FoundKey {
  /** Undefined without a valid key. */
  readonly known: KnownKey | undefined;
  readonly rehearsal?: Rehearsal | undefined;
  /** Why the request fails once it is counted. */
  readonly rejection?: Problem | undefined;
}

/** How an environment for tests treats a request differently. */
export interface Rehearsals {
  readonly environment: Environment;
  /** Finds a key as of the test time of its account, which the request may move. */
  findKey(token: Token, headers: Headers, nowMs: number): Promise<FoundKey>;
}

/** A failure that a request asks for. Whatever it leaves out happens as usual. */
export interface Rehearsal {
  /** Finds the key in another state. */
  readonly find?: (known: KnownKey) => KnownKey;
  /** Decides instead of the limiter. */
  readonly refuse?: (caller: Caller, timeMs: number) => Decision;
  readonly serve?: (call: Call, serve: Serve) => ResponseParts | Promise<ResponseParts>;
}
