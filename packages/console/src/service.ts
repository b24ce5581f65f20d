import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import {
  CHANGE_HEADER,
  KEPT_SAMPLES,
  type Sample,
  type SessionFacts,
} from '#operator/console-api/shapes.ts';
import { followClock } from './format.tsx';

/** No other file of the console imports from the service. */
export * from '#operator/console-api/shapes.ts';

export type Parameters = Readonly<Record<string, string | number | null | undefined>>;

/** A path with its query. Empty parameters are left out. */
export function withQuery(path: string, parameters: Parameters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if ((value ?? '') !== '') query.set(name, `${value}`);
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Sends `signed-out` when the service no longer accepts the session, and `changed` after a change by this page. */
export const connection = new EventTarget();

const SESSION = 'session';
const HEADERS = { 'Content-Type': 'application/json', [CHANGE_HEADER]: '1' };

/** A failed request. Its message is written for the operator. */
export class RequestError extends Error {
  constructor(
    message: string,
    /** Undefined if there was no response. */
    readonly status?: number,
  ) {
    super(message);
  }
}

/** Sends a request to the API. Throws `RequestError` if it fails. */
export async function request<T>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<T> {
  const response = await fetch(`api/${path}`, {
    method,
    headers: HEADERS,
    body: JSON.stringify(body),
    signal: signal ?? null,
  }).catch(() => {
    throw new RequestError('The service does not respond.');
  });
  const { ok, status, headers } = response;
  followClock(headers.get('Date'));
  // The response to most changes has no body, and an error of a proxy is not JSON.
  const received = await response.json().catch(() => undefined);
  if (!ok) {
    if (status === 401 && path !== SESSION) connection.dispatchEvent(new Event('signed-out'));
    throw new RequestError(
      received?.error ?? `The service responded with status ${status}.`,
      status,
    );
  }
  if (received === undefined && status !== 204) {
    throw new RequestError(
      'The response cannot be read. Check whether it was done before you try again.',
    );
  }
  if (method !== 'GET' && path !== SESSION) connection.dispatchEvent(new Event('changed'));
  return received;
}

/** The path of an account in the API, and of its page in the address. */
export function accountPath(name: string): string {
  return `accounts/${encodeURIComponent(name)}`;
}

/** Facts about the service, for all pages after the sign-in. No other page reads them, so the default is never used. */
export const SessionContext = createContext({} as SessionFacts);

export function useSession(): SessionFacts {
  return useContext(SessionContext);
}

export interface LiveSamples {
  readonly isLost: boolean;
  /** The last hour, the oldest first. */
  readonly samples: readonly Sample[];
}

const POLL_MS = 1_000;
/** A request without a response for this long has failed. */
const SILENCE_MS = 6_000;

/** Asks for new live samples every second, and keeps those of the last hour. */
export function useLiveConnection(): LiveSamples {
  const [live, setLive] = useState<LiveSamples>({ isLost: false, samples: [] });

  useEffect(() => {
    const left = new AbortController();
    let samples: readonly Sample[] = [];

    const poll = async () => {
      if (left.signal.aborted) return;
      // The service returns the samples after this time, or the whole hour if it has none of this time.
      const path = withQuery('live', { after: samples.at(-1)?.at });
      const signal = AbortSignal.any([left.signal, AbortSignal.timeout(SILENCE_MS)]);
      try {
        const received = await request<readonly Sample[]>('GET', path, undefined, signal);
        samples = [...samples, ...received].slice(-KEPT_SAMPLES);
        setLive({ isLost: false, samples });
      } catch {
        setLive({ isLost: true, samples });
      }
      setTimeout(poll, POLL_MS);
    };

    poll();
    return () => left.abort();
  }, []);

  return live;
}
