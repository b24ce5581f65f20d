import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { CHANGE_HEADER, SAMPLE_SECONDS, type Sample, type Session } from './console-api.ts';
import { followClock } from './format.tsx';

export type * from './console-api.ts';

/** A response that is not a success, or none at all. The message is for a person. */
export class ApiError extends Error {}

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

/** Throws `ApiError`. */
export async function request<T>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<T> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(`api/${path}`, {
      method,
      headers: HEADERS,
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    });
    text = await response.text();
  } catch {
    throw new ApiError('The service does not respond.');
  }
  const { ok, status, headers } = response;
  followClock(headers.get('Date'));
  if (!ok) {
    if (status === 401 && path !== SESSION) connection.dispatchEvent(new Event('signed-out'));
    throw new ApiError(messageIn(text) ?? `The service responded with status ${status}.`);
  }
  if (method !== 'GET' && path !== SESSION) connection.dispatchEvent(new Event('changed'));
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** Undefined if the response comes from a proxy. */
function messageIn(text: string): string | undefined {
  try {
    return JSON.parse(text).error;
  } catch {
    return undefined;
  }
}

export function accountPath(name: string): string {
  return `accounts/${encodeURIComponent(name)}`;
}

// All pages after the sign-in use these: facts about the service, and its live samples.

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('This page needs a session');
  return session;
}

export interface Live {
  readonly isLost: boolean;
  /** The last hour, the oldest first. */
  readonly samples: readonly Sample[];
}

const HOUR_SAMPLES = 3_600 / SAMPLE_SECONDS;
const POLL_MS = 1_000;
/** A connection that is silent for this long is dead. */
const SILENCE_MS = 6_000;

/** Follows the samples of this instance. */
export function useLiveConnection(): Live {
  const [live, setLive] = useState<Live>({ isLost: false, samples: [] });

  useEffect(() => {
    const left = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    /** The number of the last sample. 0 asks for the whole hour. */
    let after = 0;

    const poll = async () => {
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
      if (!left.signal.aborted) timer = setTimeout(poll, POLL_MS);
    };

    poll();
    return () => {
      left.abort();
      clearTimeout(timer);
    };
  }, []);

  return live;
}
