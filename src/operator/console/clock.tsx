import { useEffect, useState } from 'preact/hooks';
import { formatCountdown, formatDate, formatRelative, formatTime } from './format.ts';

/** The time that a response takes also counts as a difference, but not as one between clocks. */
const SAME_CLOCK_MS = 2_000;

let aheadMs = 0;

/** The time of the service. The clock of the browser may be wrong, and countdowns with it. */
export function now(): number {
  return Date.now() + aheadMs;
}

/** Takes the time of the service from the `Date` header of its response. */
export function followClock(date: string | null): void {
  const difference = Date.parse(date ?? '') - Date.now();
  aheadMs = Math.abs(difference) > SAME_CLOCK_MS ? difference : 0;
}

/** The current time, which renders a component again as often as this. */
function useNow(intervalMs: number): number {
  const [time, setTime] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setTime(now()), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  return time;
}

/** As "3 minutes ago", with the exact time on hover. */
export function Ago({ time }: { time: string | null }) {
  const nowMs = useNow(30_000);
  if (time === null) return <span class="quiet">never</span>;
  return (
    <time dateTime={time} title={formatTime(time)}>
      {formatRelative(time, nowMs)}
    </time>
  );
}

/** A date, with the exact time on hover. */
export function Day({ time }: { time: string }) {
  return (
    <time dateTime={time} title={formatTime(time)}>
      {formatDate(time)}
    </time>
  );
}

/** The time left, second by second. */
export function Countdown({ until }: { until: string }) {
  return <span class="figures">{formatCountdown(until, useNow(1_000))}</span>;
}
