import type { Json } from './exact-json.ts';

/** `bare` is the valid key without the word Bearer. */
export type Credential = 'key' | 'free' | 'wrong' | 'bare' | 'none';

/** The value of the Authorization header for each credential. Empty: no header. */
export function authorizations(
  key: string,
  freeKey: string,
  wrongKey: string,
): Readonly<Record<Credential, string>> {
  return {
    key: `Bearer ${key}`,
    free: `Bearer ${freeKey}`,
    wrong: `Bearer ${wrongKey}`,
    bare: key,
    none: '',
  };
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  /** Relative to the base address, with the query. */
  readonly path: string;
  readonly body?: string;
  /** Default: `key`. */
  readonly credential?: Credential;
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
  readonly receivedAtMs: number;
}

export function isSuccess({ response: { status } }: RoundTrip): boolean {
  return status >= 200 && status <= 299;
}
