import type { ComponentChildren } from 'preact';
import { capitalize, formatNumber } from './format.tsx';
import { linkTo } from './route.ts';
import { accountPath, type FailedRequest, type SessionFacts, type Window } from './service.ts';

export type Tone = 'good' | 'warning' | 'bad' | 'neutral';

/** The tones of texts in badges, such as the states of accounts, keys and pets. Any other text is neutral. */
const TONES: Readonly<Record<string, Tone>> = {
  active: 'good',
  available: 'good',
  pending: 'warning',
  staging: 'warning',
  banned: 'bad',
  suspended: 'bad',
};

interface BadgeProps {
  readonly tone?: Tone;
  readonly children: string;
}

export function Badge({ children, tone = TONES[children] ?? 'neutral' }: BadgeProps) {
  return <span class={`badge ${tone}`}>{capitalize(children)}</span>;
}

export function AccountLink({ name }: { name: string }) {
  return (
    <a href={linkTo(accountPath(name))}>
      <bdi>{name}</bdi>
    </a>
  );
}

/** A value in a table, and perhaps a note below it. */
export function noted(value: ComponentChildren, note: ComponentChildren) {
  return (
    <>
      {value}
      {note && <span class="sub">{note}</span>}
    </>
  );
}

/** The key that a request came with, below its account, which is null if it was removed. */
export function keyAndAccount({ key, account }: Pick<FailedRequest, 'key' | 'account'>) {
  return noted(account && <AccountLink name={account} />, `Key ${key}`);
}

/** The environment is known only after the sign-in. */
export function Brand({ environment }: Partial<Pick<SessionFacts, 'environment'>>) {
  return (
    <p class="brand">
      <img src="icon.svg" alt="" width="20" height="20" />
      <span>
        Animal Store <span class="quiet">console</span>
        {environment === 'staging' && (
          <>
            <br />
            <Badge>{environment}</Badge>
          </>
        )}
      </span>
    </p>
  );
}

interface TileProps {
  readonly label: string;
  readonly tone?: Tone | undefined;
  /** A large figure or a word. */
  readonly value?: string | undefined;
  readonly unit?: string;
  readonly note?: ComponentChildren;
  /** Shown instead of a value. */
  readonly children?: ComponentChildren;
}

/** A fact with its label, and perhaps a note below it. */
export function Tile({ label, tone, value = '–', unit, note, children }: TileProps) {
  return (
    <div>
      <dt class="note">{label}</dt>
      <dd class={tone}>
        {children ?? <b class="value figures">{value}</b>}
        {unit && <span class="note"> {unit}</span>}
      </dd>
      {note && <dd class="sub">{note}</dd>}
    </div>
  );
}

/** Shows the used part of a window in figures and as a bar. The bar is yellow from 80 % and red when the window is full. */
export function WindowBar({ window }: { window: Window | undefined }) {
  if (window === undefined) return <span class="quiet">unknown</span>;
  const { used, limit } = window;
  return (
    <span class="window figures">
      {formatNumber(used)} <span class="quiet">/ {formatNumber(limit)}</span>
      <meter
        value={used}
        max={limit}
        low={0.8 * limit}
        high={limit - 1}
        optimum={0}
        aria-hidden="true"
      />
    </span>
  );
}
