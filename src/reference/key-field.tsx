import type { JSX } from 'preact';
import { DAY_SECONDS } from '../domain/durations.ts';

export interface KeyFieldProps {
  readonly limitsHref: string;
  /** The plans with fixed limits. */
  readonly plans: readonly (readonly [title: string, perMinute: number, perDay: number])[];
}

/** What a response says about the window in force. */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  /** In seconds since 1970. */
  readonly reset: number;
  readonly secondsLeft: number;
  /** False for a response to a request without a valid key. */
  readonly hasAccount: boolean;
}

interface LiveProps {
  readonly value?: string;
  readonly isShown?: boolean;
  readonly quota?: Quota | undefined;
  readonly onInput?: JSX.IntrinsicElements['input']['onInput'];
  readonly onToggle?: () => void;
  readonly onClear?: () => void;
}

/** The reader's API key, and what is left of its limits. */
export function KeyField({ limitsHref, plans, value = '', ...live }: KeyFieldProps & LiveProps) {
  const { isShown = false, quota, onInput, onToggle, onClear } = live;
  return (
    <form
      class="key-field needs-script"
      aria-label="API key"
      onSubmit={(event) => event.preventDefault()}
    >
      <div class="key-row">
        <label for="api-key">API key</label>
        <input
          id="api-key"
          {...(isShown ? { type: 'text' } : { type: 'password' })}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder="ask_…"
          aria-describedby="api-key-note"
          value={value}
          onInput={onInput}
        />
        <button
          type="button"
          aria-label={`${isShown ? 'Hide' : 'Show'} the API key`}
          onClick={onToggle}
        >
          {isShown ? 'Hide' : 'Show'}
        </button>
        <button
          type="button"
          aria-label="Clear the API key"
          disabled={value === ''}
          onClick={onClear}
        >
          Clear
        </button>
      </div>
      <div class="key-note">
        <span id="api-key-note">Kept for this tab only</span>
        {quota && <Meter quota={quota} plans={plans} limitsHref={limitsHref} />}
      </div>
    </form>
  );
}

function Meter({ quota, plans, limitsHref }: KeyFieldProps & { quota: Quota }) {
  const { limit, remaining, reset, secondsLeft, hasAccount } = quota;
  const isDay = reset % DAY_SECONDS === 0;
  const window = isDay ? 'today' : 'this minute';
  const isOver = secondsLeft <= 0;
  const left = isOver ? limit : remaining;
  return (
    <span class="quota">
      <meter
        aria-label={`Requests left ${window}`}
        min={0}
        max={limit}
        low={limit / 4}
        high={limit / 2}
        optimum={limit}
        value={left}
      />
      <span>
        <a href={limitsHref}>{hasAccount ? planOf(limit, isDay, plans) : 'No valid key'}</a>:{' '}
        {left.toLocaleString('en-US')} of {limit.toLocaleString('en-US')} left
        {!isOver && Number.isFinite(secondsLeft) && `, resets in ${countdown(secondsLeft)}`}
      </span>
    </span>
  );
}

/** The headers do not name the plan, but its limits do. */
function planOf(limit: number, isDay: boolean, plans: KeyFieldProps['plans']): string {
  const plan = plans.find(([, perMinute, perDay]) => limit === (isDay ? perDay : perMinute));
  return plan?.[0] ?? 'Custom limits';
}

/** Such as `34 s`, `12 min` or `7 h`. */
function countdown(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  if (seconds < 6000) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}
