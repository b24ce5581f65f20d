import { checkArgument, checkOptions } from './arguments.ts';
import type { SendOptions } from './call-options.ts';
import type { Hooks } from './hooks.ts';

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface AnimalStoreOptions extends SendOptions {
  /** The base address of the API, with its version: `https://shop.example/v1`. */
  readonly baseUrl: string | URL;
  readonly apiKey: string;
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

const OPTIONS = [
  ...([
    'baseUrl',
    'apiKey',
    'pace',
    'timeoutSeconds',
    'maxRetries',
    'maxRetryWaitSeconds',
  ] as const),
  ...(['maxConcurrentRequests', 'headers', 'fetch', 'hooks'] as const),
];

const VERSION_PREFIX = '/v1';

/** Throws `TypeError` for an invalid option. Messages never quote the API key. */
export function settingsFrom(options: AnimalStoreOptions): Settings {
  checkOptions(options, OPTIONS);
  const {
    apiKey,
    pace = true,
    timeoutSeconds = 30,
    maxRetries = 5,
    maxRetryWaitSeconds = 120,
    maxConcurrentRequests = 32,
    headers = {},
    // Looked up at each call, because `fetch` needs its `this` and may be replaced later.
    fetch = (url, init) => globalThis.fetch(url, init),
    hooks = {},
  } = options;
  const baseUrl = checkBaseUrl(options.baseUrl);
  checkArgument('apiKey', apiKey);
  return {
    ...{ baseUrl, apiKey },
    ...{ pace, timeoutSeconds, maxRetries, maxRetryWaitSeconds, maxConcurrentRequests },
    ...{ headers, fetch, hooks },
  };
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

function demand(rule: string, isValid: boolean): asserts isValid {
  if (!isValid) throw new TypeError(`${rule}.`);
}
