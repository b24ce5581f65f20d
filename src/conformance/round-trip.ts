import type { Json } from './exact-json.ts';

/** Keys on these plans are needed only on staging. Those of a day simulate a day that is used up. */
export const PLAN_KEY_NAMES = [
  'pro',
  'proDay',
  'business',
  'businessDay',
  'enterprise',
  'enterpriseDay',
] as const;

export type PlanKeyName = (typeof PLAN_KEY_NAMES)[number];

/** The keys that a run has, and one that is wrong. */
export interface Keys extends Readonly<Partial<Record<PlanKeyName | 'free', string>>> {
  readonly key: string;
  readonly wrong: string;
}

/** `bare` is the valid key without the word Bearer. */
export type Credential = keyof Keys | 'bare' | 'none';

/** The value of the Authorization header. Undefined: no header. */
export function authorization(keys: Keys, credential: Credential): string | undefined {
  if (credential === 'none') return undefined;
  if (credential === 'bare') return keys.key;
  return `Bearer ${keys[credential]}`;
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  /** Relative to the base address, with the query. */
  readonly path: string;
  readonly body?: string;
  /** Default: `key`. */
  readonly credential?: Credential;
  /** On staging, the value of X-Test-Time. */
  readonly testTime?: string;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined if the text is not JSON. */
  readonly json: Json | undefined;
}

/** A request and its response. */
export interface RoundTrip {
  readonly request: ApiRequest;
  readonly response: ApiResponse;
  /** On staging, in the time of the account. */
  readonly receivedAtMs: number;
}

export function isSuccess({ response: { status } }: RoundTrip): boolean {
  return status >= 200 && status <= 299;
}
