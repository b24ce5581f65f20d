import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import {
  CHANGE_HEADER,
  SAMPLE_SECONDS,
  type Sample,
  type SessionFacts,
} from '../../../src/operator/console-api/shapes.ts';
import { followClock } from './format.tsx';

/** No other file of the console imports from the service. */
export * from '../../../src/operator/console-api/shapes.ts';

export type Parameters = Readonly<Record<string, string | number | null | undefined>>;

/** A path with its query. Empty parameters are left out. */
export function withQuery(path: string, parameters: Parameters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

/** `signed-out`: the service does not accept the session. `changed`: this page has changed something. */
export const connection = new EventTarget();

const SESSION = 'session';
const HEADERS = { 'Content-Type': 'application/json', [CHANGE_HEADER]: '1' };

/** Its message is for a person. */
export class RequestError extends Error {
  /** Undefined without a response. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** Throws `RequestError`. */
export async function request<T>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<T> {
  const response = await fetch(`api/${path}`, {
    method,
    headers: HEADERS,
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
  }).catch(() => {
    throw new RequestError('The service does not respond.');
  });
  const { ok, status, headers } = response;
  followClock(headers.get('Date'));
  // Most changes have no body in their response, and an error of a proxy is not JSON.
  const received = await response.json().catch(() => undefined);
  if (!ok) {
    if (status === 401 && path !== SESSION) connection.dispatchEvent(new Event('signed-out'));
    throw new RequestError(
      received?.error ?? `The service responded with status ${status}.`,
      status,
    );
  }
  if (received === undefined && status !== 204) {
    throw new RequestError('The response cannot be read. See if it was done before you try again.');
  }
  if (method !== 'GET' && path !== SESSION) connection.dispatchEvent(new Event('changed'));
  return received;
}

/** The path of an account in the API, and of its page in the address. */
export function accountPath(name: string): string {
  return `accounts/${encodeURIComponent(name)}`;
}

// All pages after the sign-in use these: facts about the service, and its live samples.

export const SessionContext = createContext<SessionFacts | undefined>(undefined);

export function useSession(): SessionFacts {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('This page needs a session');
  return session;
}

export interface LiveSamples {
  readonly isLost: boolean;
  /** The last hour, the oldest first. */
  readonly samples: readonly Sample[];
}

const HOUR_SAMPLES = 3_600 / SAMPLE_SECONDS;
const POLL_MS = 1_000;
/** A connection that is silent for this long is dead. */
const SILENCE_MS = 6_000;

/** Follows the samples of this instance. */
export function useLiveConnection(): LiveSamples {
  const [live, setLive] = useState<LiveSamples>({ isLost: false, samples: [] });

  useEffect(() => {
    const left = new AbortController();
    /** The number of the last sample. 0 asks for the whole hour. */
    let after = 0;

    const poll = async () => {
      if (left.signal.aborted) return;
      const path = withQuery('live', { after });
      const signal = AbortSignal.any([left.signal, AbortSignal.timeout(SILENCE_MS)]);
      try {
        const received = await request<readonly Sample[]>('GET', path, undefined, signal);
        const isWhole = after === 0;
        after = received.at(-1)?.number ?? after;
        setLive(({ samples }) => ({
          isLost: false,
          samples: isWhole ? received : [...samples, ...received].slice(-HOUR_SAMPLES),
        }));
      } catch {
        after = 0;
        setLive(({ samples }) => ({ isLost: true, samples }));
      }
      setTimeout(poll, POLL_MS);
    };

    poll();
    return () => left.abort();
  }, []);

  return live;
}
