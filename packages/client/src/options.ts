import { type ArgumentName, checkArgument, checkOptions } from './arguments.ts';
import type { SendOptions } from './call-options.ts';
import type { Hooks } from './hooks.ts';
import { environmentVariable } from './platform.ts';

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
  // Looked up at each call, because `fetch` needs its `this` and may be replaced later.
  fetch: (url, init) => globalThis.fetch(url, init),
  hooks: {},
};

/** Throws `TypeError` for an invalid option. Messages never quote the API key. */
export function settingsFrom(options: AnimalStoreOptions): Settings {
  checkOptions(options, ['baseUrl', 'apiKey', ...(Object.keys(DEFAULTS) as ArgumentName[])]);
  const {
    baseUrl = fromEnvironment('baseUrl', 'ANIMAL_STORE_BASE_URL'),
    apiKey = fromEnvironment('apiKey', 'ANIMAL_STORE_API_KEY'),
    ...others
  } = options;
  const { origin, pathname } = new URL(baseUrl);
  const given = Object.entries(others).filter(([, value]) => value !== undefined);
  return {
    ...DEFAULTS,
    ...Object.fromEntries(given),
    ...{ baseUrl: origin + pathname.replace(/\/+$/, ''), apiKey },
  };
}

function fromEnvironment(name: ArgumentName, variable: string): string {
  const value = environmentVariable(variable);
  if (value === undefined) {
    throw new TypeError(`Pass ${name} to new AnimalStore, or set ${variable} in the environment.`);
  }
  checkArgument(name, value);
  return value;
}
