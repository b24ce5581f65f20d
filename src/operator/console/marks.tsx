import type { ComponentChildren } from 'preact';
import type { Query, Session, Window } from './api.ts';
import { usePlan } from './api.ts';
import { formatNumber } from './format.tsx';
import { linkTo } from './route.ts';

export type Tone = 'good' | 'warning' | 'bad' | 'neutral';

/** A state in words, with a color. */
export function Badge({ tone, children }: { tone: Tone; children: string }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

export function PlanBadge({ name }: { name: string }) {
  return <Badge tone="neutral">{usePlan(name).title}</Badge>;
}

export function AccountLink({ name }: { name: string }) {
  return (
    <a href={linkTo('accounts', {}, name)}>
      <bdi>{name}</bdi>
    </a>
  );
}

/** Before the operator has signed in, the environment is not known. */
export function Brand({ environment = 'production' }: Partial<Pick<Session, 'environment'>>) {
  return (
    <p class="brand">
      <img src="icon.svg" alt="" width="20" height="20" />
      <span>
        Animal Store <span class="quiet">console</span>
        {environment !== 'production' && (
          <>
            <br />
            <Badge tone="warning">{environment}</Badge>
          </>
        )}
      </span>
    </p>
  );
}

interface TileProps {
  readonly label: string;
  readonly tone?: Tone | undefined;
  /** A large figure, or a word in place of one. */
  readonly value?: string | undefined;
  readonly unit?: string;
  readonly note?: ComponentChildren;
  /** In place of a value. */
  readonly children?: ComponentChildren;
}

/** One fact in a list of facts, with a note below it. */
export function Tile({ label, tone, value = '–', unit, note, children }: TileProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd class={tone}>{children ?? <Figure value={value} unit={unit} />}</dd>
      {note !== undefined && <dd class="sub">{note}</dd>}
    </div>
  );
}

export function Figure({ value, unit }: { value: string; unit: string | undefined }) {
  return (
    <>
      <b class="value">{value}</b>
      {unit !== undefined && <span class="quiet"> {unit}</span>}
    </>
  );
}

/** How much of a window is used, as a bar and in figures. */
export function WindowBar({ window }: { window: Window | undefined }) {
  if (window === undefined) return <span class="quiet">unknown</span>;
  const { used, limit } = window;
  const share = Math.min(1, used / limit);
  const tone = share >= 1 ? 'bad' : share >= 0.8 ? 'warning' : 'good';
  return (
    <span class="window">
      <span class="figures">
        {formatNumber(used)} <span class="quiet">/ {formatNumber(limit)}</span>
      </span>
      <svg class={`bar ${tone}`} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect class="none" width="100" height="4" />
        <rect width={100 * share} height="4" />
      </svg>
    </span>
  );
}

interface LoadedProps<T> {
  readonly query: Query<T>;
  readonly children: (data: T) => ComponentChildren;
}

const TITLES: Readonly<Record<number, string>> = { 400: 'Not valid', 404: 'Not found' };

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
        <h2>{TITLES[error.status] ?? 'This could not be loaded'}</h2>
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
