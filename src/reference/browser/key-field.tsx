import { useEffect, useState } from 'preact/hooks';
import { DAY_SECONDS } from '../../domain/durations.ts';
import { PLANS } from '../../domain/plan.ts';
import { Shared, stored, useShared } from './shared.ts';

/** The reader's API key, which every panel sends. A copy of the tab has it too. */
export const apiKey = stored(() => sessionStorage, 'animal-store.key');

/** The limits that the latest response reported. */
interface Quota {
  readonly limit: number;
  readonly remaining: number;
  /** In seconds since 1970. */
  readonly reset: number;
  /** When it resets, on the clock of `performance.now()`. */
  readonly endsAtMs: number;
  /** False for a response to a request without a valid key. */
  readonly hasAccount: boolean;
}

const quota = new Shared<Quota | undefined>(undefined);

// Another key may belong to another account.
apiKey.addEventListener('change', () => quota.set(undefined));

/** Follows the limit headers of a response. */
export function followQuota({ status, headers }: Response): void {
  const header = (name: string) => Number(headers.get(`X-RateLimit-${name}`) ?? Number.NaN);
  const limit = header('Limit');
  const remaining = header('Remaining');
  const reset = header('Reset');
  if (![limit, remaining, reset].every(Number.isFinite)) return;
  // Both times are of the service: the clock of the browser may be wrong.
  const leftMs = reset * 1000 - Date.parse(headers.get('Date') ?? '');
  const endsAtMs = performance.now() + leftMs;
  quota.set({ limit, remaining, reset, endsAtMs, hasAccount: status !== 401 });
}

interface KeyFieldProps {
  readonly limitsHref: string;
}

/** The reader's API key, and what is left of its limits. */
export function KeyField({ limitsHref }: KeyFieldProps) {
  const key = useShared(apiKey, '');
  const [isShown, setShown] = useState(false);
  const current = useShared(quota, undefined);
  const verb = isShown ? 'Hide' : 'Show';
  const clear = () => {
    apiKey.set('');
    setShown(false);
    focusKeyField();
  };
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
          value={key}
          onInput={({ currentTarget }) => apiKey.set(readKey(currentTarget.value))}
        />
        <button
          type="button"
          class="secondary small"
          aria-label={`${verb} the API key`}
          onClick={() => setShown(!isShown)}
        >
          {verb}
        </button>
        <button
          type="button"
          class="secondary small"
          aria-label="Clear the API key"
          disabled={key === ''}
          onClick={clear}
        >
          Clear
        </button>
      </div>
      <div class="key-note">
        <span id="api-key-note">Kept until the tab closes</span>
        {current && <Meter quota={current} limitsHref={limitsHref} />}
      </div>
    </form>
  );
}

export function focusKeyField(): void {
  document.getElementById('api-key')?.focus();
}

/** A key has no white space, but a paste may: a line break becomes a space. */
function readKey(text: string): string {
  return text.replace(/^\s*Bearer\s|\s/gi, '');
}

function Meter({ quota, limitsHref }: KeyFieldProps & { quota: Quota }) {
  const { limit, remaining, reset, endsAtMs, hasAccount } = quota;
  const [nowMs, setNowMs] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(performance.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const isDay = reset % DAY_SECONDS === 0;
  const secondsLeft = (endsAtMs - nowMs) / 1000;
  const isOver = secondsLeft <= 0;
  const left = isOver ? limit : remaining;
  return (
    <span class="quota">
      <meter
        aria-label={`Requests left ${isDay ? 'today' : 'this minute'}`}
        min={0}
        max={limit}
        low={limit / 4}
        high={limit / 2}
        optimum={limit}
        value={left}
      />
      <span>
        <a href={limitsHref}>{hasAccount ? planOf(limit, isDay) : 'No valid key'}</a>:{' '}
        {left.toLocaleString('en-US')} of {limit.toLocaleString('en-US')} left
        {!isOver && Number.isFinite(secondsLeft) && `, resets in ${countdown(secondsLeft)}`}
      </span>
    </span>
  );
}

/** The headers do not name the plan, but its limits do. */
function planOf(limit: number, isDay: boolean): string {
  const plan = Object.values(PLANS).find(
    ({ limits }) => limit === (isDay ? limits?.perDay : limits?.perMinute),
  );
  return plan?.title ?? 'Custom limits';
}

/** Such as `34 s`, `12 min` or `7 h`. */
function countdown(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  if (seconds < 6000) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}
