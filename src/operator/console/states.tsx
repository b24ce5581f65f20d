import type { ComponentChildren } from 'preact';
import type { ApiError } from './api.ts';
import type { Query } from './use-query.ts';

interface LoadedProps<T> {
  readonly query: Query<T>;
  /** Rows of the skeleton. */
  readonly rows?: number;
  readonly children: (data: T) => ComponentChildren;
}

/** Shows the data of a query, a skeleton, or an error with a button to try again. */
export function Loaded<T>({ query, rows = 4, children }: LoadedProps<T>) {
  const { data, error, isSlow, reload } = query;
  if (data === undefined) {
    if (error !== undefined) return <Failed error={error} retry={reload} />;
    return isSlow ? <Skeleton rows={rows} /> : <div class="waiting" />;
  }
  return (
    <>
      {error !== undefined && (
        <p class="banner bad" role="alert">
          <span>This may be out of date. {error.message}</span>
          <button type="button" class="small" onClick={reload}>
            Try again
          </button>
        </p>
      )}
      <div class={isSlow ? 'stale' : undefined} aria-busy={isSlow}>
        {children(data)}
      </div>
    </>
  );
}

function Failed({ error, retry }: { error: ApiError; retry: () => void }) {
  const title = error.status === 404 ? 'Not found' : 'This could not be loaded';
  // The same request would fail in the same way.
  const isFinal = error.status >= 400 && error.status < 500;
  return (
    <div class="empty" role="alert">
      <h2>{title}</h2>
      <p>{error.message}</p>
      {!isFinal && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

function Skeleton({ rows }: { rows: number }) {
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} />
      ))}
    </div>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly children?: ComponentChildren;
}

export function Empty({ title, children }: EmptyProps) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
