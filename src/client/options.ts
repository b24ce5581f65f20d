import { HOOK_NAMES, type Hooks } from './hooks.ts';

/** The part of `fetch` that the client needs. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface AnimalStoreOptions {
  /** Where the interface is, with its version: `https://shop.example/v1`. */
  readonly baseUrl: string | URL;
  readonly apiKey: string;
  /** Hold requests back before the account's limits would refuse them. Default: true. */
  readonly pace?: boolean | undefined;
  /** How long one attempt may take, its body included. Default: 30. */
  readonly timeoutSeconds?: number | undefined;
  /** How often a call is tried again after its first attempt. Default: 5. */
  readonly maxRetries?: number | undefined;
  /** A longer wait for the limits is not slept but thrown, as `RateLimitError`. Default: 120. */
  readonly maxRetryWaitSeconds?: number | undefined;
  /** How many requests may be under way at once: 1 to 200. Default: 32. */
  readonly maxConcurrentRequests?: number | undefined;
  /** Sends the requests. Default: the `fetch` of the runtime. */
  readonly fetch?: Fetch | undefined;
  /** Told of requests, answers, failures and waits. */
  readonly hooks?: Hooks | undefined;
}

/** The options, checked and complete. */
export interface Settings {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly pace: boolean;
  readonly timeoutSeconds: number;
  readonly maxRetries: number;
  readonly maxRetryWaitSeconds: number;
  readonly maxConcurrentRequests: number;
  readonly fetch: Fetch;
  readonly hooks: Hooks;
}

/** More under way at once could be taken for stubbornness, and the key be banned. */
const MOST_CONCURRENT_REQUESTS = 200;

const VERSION_PREFIX = '/v1';

/** Throws `TypeError` for an option that makes no sense. The API key is never quoted. */
export function checkOptions(options: AnimalStoreOptions): Settings {
  const {
    pace = true,
    timeoutSeconds = 30,
    maxRetries = 5,
    maxRetryWaitSeconds = 120,
    maxConcurrentRequests = 32,
    // Looked up with each call: `fetch` must not lose its `this`, and may be replaced later.
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
    `maxConcurrentRequests must be a whole number from 1 to ${MOST_CONCURRENT_REQUESTS}`,
    isCount(maxConcurrentRequests) &&
      maxConcurrentRequests >= 1 &&
      maxConcurrentRequests <= MOST_CONCURRENT_REQUESTS,
  );
  demand('fetch must be a function', typeof fetch === 'function');
  demand('hooks must be an object whose members are functions', areHooks(hooks));
  return {
    baseUrl: checkBaseUrl(options.baseUrl),
    apiKey: checkApiKey(options.apiKey),
    ...{ pace, timeoutSeconds, maxRetries, maxRetryWaitSeconds, maxConcurrentRequests },
    ...{ fetch, hooks },
  };
}

function checkBaseUrl(given: string | URL): string {
  const url = parseUrl(String(given));
  demand(
    'baseUrl must be a whole address that begins with https:// or http://',
    url?.protocol === 'https:' || url?.protocol === 'http:',
  );
  const { username, password, search, hash, origin, pathname } = url;
  demand(
    'baseUrl must have no user, password, query or fragment; the key goes into apiKey',
    [username, password, search, hash].every((part) => part === ''),
  );
  const path = pathname.replace(/\/+$/, '');
  demand(
    `baseUrl must end in ${VERSION_PREFIX}, as in https://shop.example${VERSION_PREFIX}`,
    path.endsWith(VERSION_PREFIX),
  );
  return `${origin}${path}`;
}

function checkApiKey(apiKey: string): string {
  demand(
    'apiKey must be a key as the service has issued it: printable ASCII, without spaces',
    typeof apiKey === 'string' && /^[\x21-\x7e]+$/.test(apiKey),
  );
  return apiKey;
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

function demand(rule: string, isRight: boolean): asserts isRight {
  if (!isRight) throw new TypeError(`${rule}.`);
}
