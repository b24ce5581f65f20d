import { useEffect, useState } from 'preact/hooks';

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

const NUMBER = new Intl.NumberFormat('en-US');
const COMPACT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const DATE_TIME = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
const DATE = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'medium' });

export function formatNumber(value: number): string {
  return NUMBER.format(value);
}

/** As 12.3K. */
export function formatCompact(value: number): string {
  return COMPACT.format(value);
}

/** A rate or a time with as many digits as a person can use. */
export function formatMeasure(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  return formatNumber(value < 10 ? Number(value.toPrecision(2)) : Math.round(value));
}

/** As 16 Nov 2026, 02:07 UTC. */
export function formatTime(iso: string): string {
  return `${DATE_TIME.format(new Date(iso))} UTC`;
}

export function formatDate(iso: string): string {
  return DATE.format(new Date(iso));
}

const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
];

/** As "3 minutes". */
export function formatDuration(seconds: number): string {
  for (const [size, name] of UNITS) {
    const count = Math.floor(seconds / size);
    // "30 hours" says more than "1 day".
    if (count > 1) return `${formatNumber(count)} ${name}s`;
  }
  return 'a minute';
}

/** As "3 minutes ago" or "in 3 minutes". */
export function formatRelative(iso: string, nowMs: number): string {
  const seconds = (Date.parse(iso) - nowMs) / 1000;
  if (Math.abs(seconds) < 60) return seconds <= 0 ? 'just now' : 'in less than a minute';
  return seconds > 0 ? `in ${formatDuration(seconds)}` : `${formatDuration(-seconds)} ago`;
}

/** As 4:05 or 1:04:05. */
export function formatCountdown(iso: string, nowMs: number): string {
  const left = Math.max(0, Math.ceil((Date.parse(iso) - nowMs) / 1000));
  const hours = Math.floor(left / 3600);
  const minutes = Math.floor((left % 3600) / 60);
  const seconds = left % 60;
  const pad = (value: number) => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds)}` : `${minutes}:${pad(seconds)}`;
}

export function plural(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}
