import { useCallback, useEffect, useState } from 'preact/hooks';
import { ApiError, connection, request } from './api.ts';

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
  readonly error?: ApiError | undefined;
  readonly isSlow?: boolean;
}

/** A skeleton that is shown for less than this only flickers. */
const SLOW_AFTER_MS = 200;

/** Loads a path, and again when it changes, and every `refreshMs` while the page is visible. */
export function useQuery<T>(path: string | undefined, refreshMs?: number): Query<T> {
  const [state, setState] = useState<State<T>>({});
  const [attempt, setAttempt] = useState(0);
  const reload = useCallback(() => setAttempt((count) => count + 1), []);

  useEffect(() => {
    if (path === undefined) return setState({});
    const controller = new AbortController();
    const { signal } = controller;
    const slow = setTimeout(
      () => setState((before) => ({ ...before, isSlow: true })),
      SLOW_AFTER_MS,
    );
    request<T>('GET', path, { signal })
      .then(
        (data) => !signal.aborted && setState({ path, data }),
        (error) => {
          if (signal.aborted) return;
          const known = error instanceof ApiError ? error : new ApiError(0, String(error));
          // Data of another path would mislead next to an error.
          setState(({ data }) => ({
            path,
            data: known.status === 404 ? undefined : data,
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
    return () => connection.removeEventListener('recovered', reload);
  }, [reload]);

  useEffect(() => {
    if (refreshMs === undefined) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload();
    }, refreshMs);
    return () => clearInterval(timer);
  }, [refreshMs, reload]);

  const { data, error, isSlow = false } = state;
  return { data, error, isCurrent: path !== undefined && state.path === path, isSlow, reload };
}
