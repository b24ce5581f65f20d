import type { Json } from './exact-json.ts';

/** What a request shows for a key: a good one, one of the Free plan, a wrong one, or none. */
export type Credential = 'key' | 'free' | 'wrong' | 'bare' | 'none';

export interface Request {
  readonly method: 'GET' | 'POST';
  /** What follows the base address, with the query. */
  readonly path: string;
  readonly body?: string;
  /** `key` unless said otherwise; `bare` is the good key without the word Bearer. */
  readonly credential?: Credential;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined when the text is no JSON. */
  readonly json: Json | undefined;
}

export interface Exchange {
  readonly request: Request;
  readonly answer: Answer;
  /** When the answer had come, in milliseconds since 1970 UTC. */
  readonly atMs: number;
}
