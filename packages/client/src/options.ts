import type { AnimalStoreError, OperationName } from './errors.ts';
import { isInt64 } from './json.ts';
import type { PetStatus } from './pet.ts';
import { environmentVariable } from './runtime.ts';

/** How requests are sent. These options can be set for the whole client, and for each call. */
export interface SendOptions {
  /** The time limit for one attempt, including the response body. Default: 30. */
  readonly timeoutSeconds?: number | undefined;
  /**
   * The maximum number of retries of a call. Retries while the service restarts are not included in this number.
   * Default: 5.
   */
  readonly maxRetries?: number | undefined;
  /** If a call would have to wait longer for the rate limit, it throws `RateLimitError` instead. Default: 120. */
  readonly maxRetryWaitSeconds?: number | undefined;
  /** Headers to add to each request. The headers of a call replace headers of the client with the same name. */
  readonly headers?: RequestHeaders | undefined;
}

/** Anything that `new Headers()` accepts. */
export type RequestHeaders = NonNullable<RequestInit['headers']>;

export interface CallOptions extends SendOptions {
  /** Aborts the call, even while the call waits. The call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface CreateOptions extends CallOptions {
  /**
   * Makes it safe to repeat the call within 24 hours: calls with the same key and the same pet add only
   * one pet. By default, each call gets a random key, which its retries also send.
   */
  readonly idempotencyKey?: string | undefined;
}

interface PetFilter extends CallOptions {
  /** Return only pets with this status. */
  readonly status?: PetStatus | undefined;
  /** Return only pets with a greater id. */
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

/** An attempt failed. There is no such event for an aborted attempt. */
export interface FailureEvent extends Pick<RequestEvent, 'operation' | 'attempt'> {
  readonly error: AnimalStoreError;
}

/** A call waits before its next attempt, or the client holds back all requests. */
export interface WaitEvent {
  /**
   * `backoff`: a call waits before it is retried, because of `error`. `retry-after`: the client holds back all
   * requests, because the service asked for it. `quota`: the client holds back all requests, because the limit is
   * used up.
   */
  readonly reason: 'backoff' | 'retry-after' | 'quota';
  readonly waitSeconds: number;
  readonly error?: AnimalStoreError;
}

/** Functions that the client calls, for logs and metrics. They never see the API key, and their errors are ignored. */
export interface Hooks {
  readonly onRequest?: (event: RequestEvent) => void;
  readonly onResponse?: (event: ResponseEvent) => void;
  readonly onFailure?: (event: FailureEvent) => void;
  readonly onWait?: (event: WaitEvent) => void;
}

/** Calls a hook if the caller has set it, and ignores errors in the hook. */
export function notify<Event>(hook: ((event: Event) => unknown) | undefined, event: Event): void {
  // In an async function, this also ignores the rejection of a promise that the hook returns.
  (async () => hook?.(event))().catch(() => {});
}

/** `console` is such a logger, and so are those of pino and winston. */
export interface Logger {
  info(line: string): unknown;
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
  /** If true, the client delays requests that the rate limit would refuse. Default: true. */
  readonly pace?: boolean | undefined;
  /** The maximum number of requests in flight: 1 to 200. Default: 32. */
  readonly maxConcurrentRequests?: number | undefined;
  /** The function that sends requests. Default: the runtime's `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Functions that are called for requests, responses, failures and waits. */
  readonly hooks?: Hooks | undefined;
  /**
   * Gets one line for each attempt, which contains neither the API key nor a body. By default, the lines go to
   * standard error if the environment variable `ANIMAL_STORE_LOG` is set.
   */
  readonly logger?: Logger | undefined;
}

/** The options, validated and complete. The base address has no trailing slash. */
export type Settings = {
  readonly [Name in keyof AnimalStoreOptions]-?: NonNullable<AnimalStoreOptions[Name]>;
} & { readonly baseUrl: string };

const DEFAULTS: Omit<Settings, 'baseUrl' | 'apiKey' | 'logger'> = {
  pace: true,
  timeoutSeconds: 30,
  maxRetries: 5,
  maxRetryWaitSeconds: 120,
  maxConcurrentRequests: 32,
  headers: {},
  // The global is looked up for each request, because a program may replace it later, and because `fetch` must be
  // called as a method of the global object.
  fetch: (url, init) => globalThis.fetch(url, init),
  hooks: {},
};

/**
 * Returns the options with their defaults. Throws `TypeError` for an invalid option. Messages never quote the API key.
 */
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
    // Standard output belongs to the program.
    logger: { info: environmentVariable('ANIMAL_STORE_LOG') ? console.error : () => {} },
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

// A `number` that is not a safe integer may already have lost digits.
const INT64: Rule = [
  'an int64, as a bigint or a safe integer',
  (value) => Number.isSafeInteger(value) || (typeof value === 'bigint' && isInt64(value)),
];

const COUNT: Rule = ['a whole number, 0 or more', (value) => isWhole(value, 0)];

// With more requests in flight, the service could send so many 429s at once that it bans the key.
const CONCURRENCY: Rule = ['a whole number from 1 to 200', (value) => isWhole(value, 1, 200)];

/**
 * The rules for arguments that only the client can check. If another argument is wrong, the error response of the
 * service explains it.
 */
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
  warnOfMilliseconds(options);
}

/** No response takes this long, so a longer timeout is probably in milliseconds. */
const LONGEST_TIMEOUT_SECONDS = 999;

const printedWarnings = new Set<string>();

/** Most other clients have an option `timeout` in milliseconds. Prints each warning once, because calls repeat. */
function warnOfMilliseconds(options: { timeout?: number; timeoutSeconds?: number }): void {
  const name = options.timeout === undefined ? 'timeoutSeconds' : 'timeout';
  const { [name]: given = 0 } = options;
  const isLong = given > LONGEST_TIMEOUT_SECONDS && given < Infinity;
  if (name === 'timeoutSeconds' && !isLong) return;
  const warning = `Animal Store got ${name}: ${given}. Did you mean timeoutSeconds: ${isLong ? given / 1000 : given}?`;
  if (!printedWarnings.has(warning)) console.warn(warning);
  printedWarnings.add(warning);
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
  // `origin` contains no user and no password, so a URL with either of them differs.
  return href === origin + pathname && /^https?:/.test(href) && /\/v1\/*$/.test(pathname);
}

function areHeaders(value: RequestHeaders): boolean {
  const headers = new Headers(value);
  return !['authorization', 'content-type', 'idempotency-key'].some((name) => headers.has(name));
}
