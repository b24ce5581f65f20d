import type { AnimalStoreError, OperationName } from './errors.ts';
import { isInt64 } from './json.ts';
import type { PetStatus } from './pet.ts';
import { environmentVariable } from './runtime.ts';

/** How requests are sent. The client has these options for all calls, and each call for itself. */
export interface SendOptions {
  /** The time for one attempt, including the response body. Default: 30. */
  readonly timeoutSeconds?: number | undefined;
  /** How often a call is retried. Retries while the service restarts do not count. Default: 5. */
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

export interface RequestEvent {
  readonly operation: OperationName;
  readonly method: string;
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
   * for it; `quota`: the limit is used up.
   */
  readonly reason: 'backoff' | 'retry-after' | 'quota';
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

/** Calls a hook if it is set, and ignores its errors. */
export function notify<Event>(hook: ((event: Event) => unknown) | undefined, event: Event): void {
  // The async function also catches a promise that the hook rejects.
  (async () => hook?.(event))().catch(() => {});
}

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface AnimalStoreOptions extends SendOptions {
  /**
   * The base address of the API, with its version: `https://shop.example/v1`. Default: the
   * environment variable `ANIMAL_STORE_BASE_URL`.
   */
  readonly baseUrl?: string | URL | undefined;
  /** Default: the environment variable `ANIMAL_STORE_API_KEY`. */
  readonly apiKey?: string | undefined;
  /** Delay requests that the rate limit would refuse. Default: true. */
  readonly pace?: boolean | undefined;
  /** Requests in flight at the same time: 1 to 200. Default: 32. */
  readonly maxConcurrentRequests?: number | undefined;
  /** Sends the requests. Default: the runtime's `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Called for requests, responses, failures and waits. */
  readonly hooks?: Hooks | undefined;
}

/** The options, validated and complete. The base address has no trailing slash. */
export type Settings = {
  readonly [Name in keyof AnimalStoreOptions]-?: NonNullable<AnimalStoreOptions[Name]>;
} & { readonly baseUrl: string };

const DEFAULTS: Omit<Settings, 'baseUrl' | 'apiKey'> = {
  pace: true,
  timeoutSeconds: 30,
  maxRetries: 5,
  maxRetryWaitSeconds: 120,
  maxConcurrentRequests: 32,
  headers: {},
  // The global is looked up at each call, because `fetch` needs its `this` and may be replaced later.
  fetch: (url, init) => globalThis.fetch(url, init),
  hooks: {},
};

/** Throws `TypeError` for an invalid option. Messages never quote the API key. */
export function settingsFrom(options: AnimalStoreOptions): Settings {
  const {
    baseUrl = fromEnvironment('baseUrl', 'ANIMAL_STORE_BASE_URL'),
    apiKey = fromEnvironment('apiKey', 'ANIMAL_STORE_API_KEY'),
    ...others
  } = options;
  checkOptions({ ...others, baseUrl, apiKey });
  const { origin, pathname } = new URL(baseUrl);
  const given = Object.entries(others).filter(([, value]) => value !== undefined);
  return {
    ...DEFAULTS,
    ...Object.fromEntries(given),
    baseUrl: origin + pathname.replace(/\/+$/, ''),
    apiKey,
  };
}

function fromEnvironment(name: string, variable: string): string {
  const value = environmentVariable(variable);
  if (value !== undefined) return value;
  throw new TypeError(`Pass ${name} to new AnimalStore, or set ${variable} in the environment.`);
}

// biome-ignore lint/suspicious/noExplicitAny: Programs without types pass values of any type.
type Rule = readonly [rule: string, isValid: (value: any) => boolean];

// A `number` above 2^53 has lost digits already.
const INT64: Rule = [
  'an int64, as a bigint or a safe integer',
  (value) => Number.isSafeInteger(value) || (typeof value === 'bigint' && isInt64(value)),
];

const COUNT: Rule = ['a whole number, 0 or more', (value) => isWhole(value, 0)];

// More requests in flight can cause so many 429s at once that the service bans the key.
const CONCURRENCY: Rule = ['a whole number from 1 to 200', (value) => isWhole(value, 1, 200)];

/** The arguments that the service cannot check. It explains the others in its error response. */
const RULES = {
  baseUrl: [
    'an http or https URL that ends in /v1, without user, password, query and fragment',
    isBaseUrl,
  ],
  apiKey: ['a key that the service issued: printable ASCII characters without spaces', isVisible],
  timeoutSeconds: ['a number above 0', (value) => typeof value === 'number' && value > 0],
  maxRetries: COUNT,
  maxRetryWaitSeconds: ['a number, 0 or more', (value) => typeof value === 'number' && value >= 0],
  maxConcurrentRequests: CONCURRENCY,
  headers: ['HTTP headers other than Authorization, Content-Type and Idempotency-Key', areHeaders],
  batch: [
    '1 to 200 printable ASCII characters without spaces',
    (value) => isVisible(value) && value.length <= 200,
  ],
  from: COUNT,
  concurrency: CONCURRENCY,
  after: INT64,
  petId: INT64,
  categoryId: INT64,
} satisfies Record<string, Rule>;

type Checked = keyof typeof RULES;

/** Throws `TypeError` for an option that breaks its rule. */
export function checkOptions(options: object): void {
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && Object.hasOwn(RULES, name)) checkArgument(name as Checked, value);
  }
}

/** Throws `TypeError` for an argument that breaks its rule. */
export function checkArgument(name: Checked, value: unknown): void {
  const [allowed, isValid]: Rule = RULES[name];
  try {
    if (isValid(value)) return;
  } catch {
    // `new URL` and `new Headers` refused the value.
  }
  throw new TypeError(`${name} must be ${allowed}.`);
}

function isVisible(value: unknown): boolean {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);
}

function isWhole(value: number, minimum: number, maximum = Infinity): boolean {
  return Number.isInteger(value) && value >= minimum && value <= maximum;
}

function isBaseUrl(value: string | URL): boolean {
  const { href, origin, pathname } = new URL(value);
  // The origin has neither user nor password.
  return href === origin + pathname && /^https?:/.test(href) && /\/v1\/*$/.test(pathname);
}

function areHeaders(value: RequestHeaders): boolean {
  const headers = new Headers(value);
  return !['authorization', 'content-type', 'idempotency-key'].some((name) => headers.has(name));
}
