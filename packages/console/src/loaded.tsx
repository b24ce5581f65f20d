import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { connection, type RequestError, request } from './service.ts';

interface LoadedProps<T> {
  readonly path: string;
  readonly refreshMs?: number | undefined;
  readonly children: (data: T) => ComponentChildren;
}

interface State<T> {
  /** Undefined until the first response. */
  readonly path?: string;
  /** The data of the last response. It stays while the next one is loading. */
  readonly data?: T | undefined;
  readonly error?: Error;
}

/**
 * Loads data from a path of the API and shows it. Until then it says that the data is loading. After an error it shows
 * a button to try again. The data is loaded again after each change, and regularly while the page is visible.
 */
export function Loaded<T>({ path, refreshMs = 30_000, children }: LoadedProps<T>) {
  const [state, setState] = useState<State<T>>({});
  const [attempt, setAttempt] = useState({});
  const reload = () => setAttempt({});

  useEffect(() => {
    const left = new AbortController();
    const { signal } = left;
    request<T>('GET', path, undefined, signal).then(
      (data) => signal.aborted || setState({ path, data }),
      (error: RequestError) => {
        if (signal.aborted) return;
        // Next to an error, data of another path or of something that was removed would be misleading.
        setState((before) => ({
          path,
          data: before.path === path && error.status !== 404 ? before.data : undefined,
          error,
        }));
      },
    );
    return () => left.abort();
  }, [path, attempt]);

  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload();
    }, refreshMs);
    connection.addEventListener('changed', reload);
    return () => {
      clearInterval(timer);
      connection.removeEventListener('changed', reload);
    };
  }, [refreshMs]);

  // The button that has the focus may be in a row that the new data no longer has.
  const focused = document.activeElement;
  useLayoutEffect(() => {
    if (focused?.isConnected === false) document.getElementById('main')?.focus();
  });

  const { data, error } = state;
  return (
    <>
      {error && (
        <p class="banner" role="alert">
          <span>{error.message}</span>
          <button type="button" class="small" onClick={reload}>
            Try again
          </button>
        </p>
      )}
      {data !== undefined && (
        <div class="loaded" aria-busy={state.path !== path}>
          {children(data)}
        </div>
      )}
      {state.path === undefined && (
        <p class="quiet waiting" role="status">
          Loading…
        </p>
      )}
    </>
  );
}
