import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useState } from 'preact/hooks';
import { CHANGE_HEADER, type PlanInfo, type Sample, type Session } from './console-api.ts';
import { followClock } from './format.tsx';

export type * from './console-api.ts';

/** A response that is not a success, or none at all: then the status is 0. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export type Parameters = Readonly<Record<string, string | number | null | undefined>>;

/** A path with its query. Empty parameters are left out. */
export function withQuery(path: string, parameters: Parameters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

/**
 * `signed-out`: the service no longer accepts the session. `recovered`: it responds again.
 * `changed`: this page has changed something.
 */
export const connection = new EventTarget();

const SESSION = 'session';
const HEADERS = { 'Content-Type': 'application/json', [CHANGE_HEADER]: '1' };

/** Throws `ApiError`, whose message is for a person. */
export async function request<T>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
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
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, 'The service does not respond.');
  }
  const { status, headers } = response;
  followClock(headers.get('Date'));
  if (!response.ok) {
    if (status === 401 && path !== SESSION) connection.dispatchEvent(new Event('signed-out'));
    throw new ApiError(status, messageIn(text) ?? `The service responded with status ${status}.`);
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

export interface Query<T> {
  /** Of the last response, also while the next one is loading. */
  readonly data: T | undefined;
  readonly error: ApiError | undefined;
  /** True if the data or the error belongs to the path that was asked for last. */
  readonly isCurrent: boolean;
  /** True once a response takes long enough that a person wonders. */
  readonly isSlow: boolean;
  readonly reload: () => void;
}

interface State<T> {
  readonly path?: string;
  readonly data?: T | undefined;
  readonly error?: ApiError;
  readonly isSlow?: boolean;
}

/** A note that is shown for less than this only flickers. */
const SLOW_AFTER_MS = 200;

/**
 * Loads a path, and again when it changes, after each change, and every `refreshMs` while the page is
 * visible.
 */
export function useQuery<T>(path: string, refreshMs?: number): Query<T> {
  const [state, setState] = useState<State<T>>({});
  const [attempt, setAttempt] = useState(0);
  const reload = useCallback(() => setAttempt((count) => count + 1), []);

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const slow = setTimeout(
      () => setState((before) => ({ ...before, isSlow: true })),
      SLOW_AFTER_MS,
    );
    request<T>('GET', path, undefined, signal)
      .then(
        (data) => !signal.aborted && setState({ path, data }),
        (error) => {
          if (signal.aborted) return;
          const known = error instanceof ApiError ? error : new ApiError(0, String(error));
          // Data of another path would mislead next to an error, and so would what no longer exists.
          setState((before) => ({
            path,
            data: before.path === path && known.status !== 404 ? before.data : undefined,
            error: known,
          }));
        },
      )
      .finally(() => clearTimeout(slow));
    return () => {
      clearTimeout(slow);
      controller.abort();
    };
  }, [path, attempt]);

  useEffect(() => {
    connection.addEventListener('recovered', reload);
    connection.addEventListener('changed', reload);
    return () => {
      connection.removeEventListener('recovered', reload);
      connection.removeEventListener('changed', reload);
    };
  }, [reload]);

  useEffect(() => {
    if (refreshMs === undefined) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload();
    }, refreshMs);
    return () => clearInterval(timer);
  }, [refreshMs, reload]);

  const { data, error, isSlow = false } = state;
  return { data, error, isCurrent: state.path === path, isSlow, reload };
}

// All pages after the sign-in use these: facts about the service, and its live samples.

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('This page needs a session');
  return session;
}

export function usePlan(name: string): PlanInfo {
  const { plans } = useSession();
  return (
    plans.find((plan) => plan.name === name) ?? { name, title: name, perMinute: null, perDay: null }
  );
}

export interface Live {
  readonly connection: 'connecting' | 'live' | 'lost';
  /** The last hour, the oldest first. */
  readonly samples: readonly Sample[];
}

const NOTHING_YET: Live = { connection: 'connecting', samples: [] };
const HOUR_SAMPLES = 3_600;
const POLL_MS = 1_000;
/** A connection that is silent for this long is dead. */
const SILENCE_MS = 6_000;

/** Follows the samples of this instance, second by second. */
export function useLiveConnection(): Live {
  const [live, setLive] = useState(NOTHING_YET);

  useEffect(() => {
    const left = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    /** The number of the last sample. 0 asks for the whole hour. */
    let after = 0;
    let wasLost = false;

    const poll = async () => {
      const path = withQuery('live', { after });
      const signal = AbortSignal.any([left.signal, AbortSignal.timeout(SILENCE_MS)]);
      try {
        const received = await request<readonly Sample[]>('GET', path, undefined, signal);
        const isWhole = after === 0;
        after = received.at(-1)?.number ?? after;
        setLive(({ samples }) => ({
          connection: 'live',
          samples: isWhole ? received : [...samples, ...received].slice(-HOUR_SAMPLES),
        }));
        if (wasLost) connection.dispatchEvent(new Event('recovered'));
        wasLost = false;
      } catch {
        after = 0;
        wasLost = true;
        setLive(({ samples }) => ({ connection: 'lost', samples }));
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
