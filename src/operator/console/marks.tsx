import type { Window } from './api.ts';
import { useNow } from './clock.ts';
import { formatCountdown, formatNumber, formatRelative, formatTime } from './format.ts';

export type Tone = 'good' | 'warning' | 'bad' | 'neutral';

/** A state in words, with a colour. */
export function Badge({ tone, children }: { tone: Tone; children: string }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

export function PlanBadge({ title }: { title: string }) {
  return <span class={`plan plan-${title.toLowerCase()}`}>{title}</span>;
}

/** How much of a window is used, as a bar and in figures. */
export function WindowBar({ window }: { window: Window | undefined }) {
  if (window === undefined) return <span class="quiet">unknown</span>;
  const { used, limit } = window;
  const share = limit === 0 ? 1 : Math.min(1, used / limit);
  const tone = share >= 1 ? 'bad' : share >= 0.8 ? 'warning' : 'good';
  return (
    <span class="window">
      <span class="figures">
        {formatNumber(used)} <span class="quiet">/ {formatNumber(limit)}</span>
      </span>
      <svg class={`bar ${tone}`} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width="100" height="4" />
        <rect width={100 * share} height="4" />
      </svg>
    </span>
  );
}

const SPARKLINE_HEIGHT = 24;
const SPARKLINE_STEP = 4;

/** A bar for each day. */
export function Sparkline({ days }: { days: readonly number[] }) {
  if (days.length === 0) return <span class="sparkline" />;
  const most = Math.max(...days, 1);
  const total = days.reduce((sum, count) => sum + count, 0);
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${days.length * SPARKLINE_STEP} ${SPARKLINE_HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${formatNumber(total)} requests in ${days.length} days, at most ${formatNumber(Math.max(...days, 0))} in one day`}
    >
      {days.map((count, day) => {
        const height = count === 0 ? 1 : Math.max(2, (count / most) * SPARKLINE_HEIGHT);
        return (
          <rect
            key={day}
            class={count === 0 ? 'none' : undefined}
            x={day * SPARKLINE_STEP}
            y={SPARKLINE_HEIGHT - height}
            width={SPARKLINE_STEP - 1}
            height={height}
          />
        );
      })}
    </svg>
  );
}

/** As "3 minutes ago", with the exact time on hover. */
export function Ago({ time, none = 'never' }: { time: string | null; none?: string }) {
  const nowMs = useNow(30_000);
  if (time === null) return <span class="quiet">{none}</span>;
  return (
    <time dateTime={time} title={formatTime(time)}>
      {formatRelative(time, nowMs)}
    </time>
  );
}

/** The time left, second by second. */
export function Countdown({ until }: { until: string }) {
  return <span class="figures">{formatCountdown(until, useNow(1_000))}</span>;
}
