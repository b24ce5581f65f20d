import { HOOK_NAMES, type Hooks } from './hooks.ts';

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface AnimalStoreOptions {
  /** The base address of the API, with its version: `https://shop.example/v1`. */
  readonly baseUrl: string | URL;
  readonly apiKey: string;
  /** Delay requests that the rate limit would refuse. Default: true. */
  readonly pace?: boolean | undefined;
  /** The time for one attempt, including the response body. Default: 30. */
  readonly timeoutSeconds?: number | undefined;
  /** Retries after the first attempt of a call. Default: 5. */
  readonly maxRetries?: number | undefined;
  /** A longer wait for the rate limit throws `RateLimitError` instead. Default: 120. */
  readonly maxRetryWaitSeconds?: number | undefined;
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

/** More requests in flight can cause so many 429s at once that the service bans the key. */
const MAX_CONCURRENT_REQUESTS = 200;
const MAX_IDEMPOTENCY_KEY_CHARACTERS = 255;
const VERSION_PREFIX = '/v1';
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/** Throws `TypeError` for an invalid option. Messages never quote the API key. */
export function checkOptions(options: AnimalStoreOptions): Settings {
  const {
    apiKey,
    pace = true,
    timeoutSeconds = 30,
    maxRetries = 5,
    maxRetryWaitSeconds = 120,
    maxConcurrentRequests = 32,
    // Looked up at each call, because `fetch` needs its `this` and may be replaced later.
    fetch = (url, init) => globalThis.fetch(url, init),
    hooks = {},
  } = options;
  demand('pace must be true or false', typeof pace === 'boolean');
  demand(
    'timeoutSeconds must be a number above 0',
    typeof timeoutSeconds === 'number' && timeoutSeconds > 0,
  );
  demand('maxRetries must be a whole number, 0 or more', isCount(maxRetries));
  demand(
    'maxRetryWaitSeconds must be a number, 0 or more',
    typeof maxRetryWaitSeconds === 'number' && maxRetryWaitSeconds >= 0,
  );
  demand(
    `maxConcurrentRequests must be a whole number from 1 to ${MAX_CONCURRENT_REQUESTS}`,
    isCount(maxConcurrentRequests) &&
      maxConcurrentRequests >= 1 &&
      maxConcurrentRequests <= MAX_CONCURRENT_REQUESTS,
  );
  demand('fetch must be a function', typeof fetch === 'function');
  demand('hooks must be an object whose members are functions', areHooks(hooks));
  const baseUrl = checkBaseUrl(options.baseUrl);
  demand(
    'apiKey must be a key that the service issued: printable ASCII without spaces',
    typeof apiKey === 'string' && VISIBLE_ASCII.test(apiKey),
  );
  return {
    ...{ baseUrl, apiKey },
    ...{ pace, timeoutSeconds, maxRetries, maxRetryWaitSeconds, maxConcurrentRequests },
    ...{ fetch, hooks },
  };
}

/** Throws `TypeError` for a key that the service would refuse. */
export function checkIdempotencyKey(key: string): void {
  demand(
    `idempotencyKey must be 1 to ${MAX_IDEMPOTENCY_KEY_CHARACTERS} printable ASCII characters without spaces`,
    VISIBLE_ASCII.test(key) && key.length <= MAX_IDEMPOTENCY_KEY_CHARACTERS,
  );
}

function checkBaseUrl(value: string | URL): string {
  const url = parseUrl(String(value));
  demand(
    'baseUrl must be a full URL that begins with https:// or http://',
    url?.protocol === 'https:' || url?.protocol === 'http:',
  );
  const { username, password, search, hash, origin, pathname } = url;
  demand(
    'baseUrl must not have a user, password, query or fragment; pass the key as apiKey',
    [username, password, search, hash].every((part) => part === ''),
  );
  const path = pathname.replace(/\/+$/, '');
  demand(
    `baseUrl must end in ${VERSION_PREFIX}, as in https://shop.example${VERSION_PREFIX}`,
    path.endsWith(VERSION_PREFIX),
  );
  return `${origin}${path}`;
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function areHooks(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return HOOK_NAMES.every((name) => {
    const hook = (value as Hooks)[name];
    return hook === undefined || typeof hook === 'function';
  });
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 0;
}

function demand(rule: string, isValid: boolean): asserts isValid {
  if (!isValid) throw new TypeError(`${rule}.`);
}
