import type { ComponentChildren } from 'preact';
import type { Query } from './api.ts';

interface LoadedProps<T> {
  readonly query: Query<T>;
  readonly children: (data: T) => ComponentChildren;
}

/** Shows the data of a query, that it is loading, or an error with a button to try again. */
export function Loaded<T>({ query, children }: LoadedProps<T>) {
  const { data, error, isSlow, reload } = query;
  const retry = (
    <button type="button" class="small" onClick={reload}>
      Try again
    </button>
  );
  if (data === undefined && error !== undefined) {
    // The same request would fail in the same way.
    const isFinal = error.status >= 400 && error.status < 500;
    return (
      <div class="empty" role="alert">
        <h2>{error.status === 404 ? 'Not found' : 'This could not be loaded'}</h2>
        <p>{error.message}</p>
        {!isFinal && retry}
      </div>
    );
  }
  if (data === undefined)
    return (
      <p class="quiet waiting" role="status">
        {isSlow && 'Loading…'}
      </p>
    );
  return (
    <>
      {error !== undefined && (
        <p class="banner" role="alert">
          <span>This may be out of date. {error.message}</span>
          {retry}
        </p>
      )}
      <div class={isSlow ? 'loaded stale' : 'loaded'} aria-busy={isSlow}>
        {children(data)}
      </div>
    </>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** Shown in place of something that does not exist, with what to do about it. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
