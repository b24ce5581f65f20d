let aheadMs = 0;

/** The time of the service. The clock of the browser may be wrong. */
export function now(): number {
  return Date.now() + aheadMs;
}

/** Takes the time of the service from the `Date` header of its response, which the response of a proxy may lack. */
export function followClock(date: string | null): void {
  aheadMs = Date.parse(date ?? '') - Date.now() || 0;
}

/** For example "3 minutes ago", with the exact time on hover. It stays right, because pages render every second. */
export function Ago({ time }: { time: string | null }) {
  if (time === null) return <span class="quiet">never</span>;
  return (
    <time dateTime={time} title={formatDateTime(time)}>
      {formatRelative(time)}
    </time>
  );
}

/** A time that may matter to the second, so the exact time is shown below. */
export function When({ time }: { time: string }) {
  return (
    <>
      <Ago time={time} />
      <time class="sub">{time}</time>
    </>
  );
}

const NUMBER = new Intl.NumberFormat('en-US');
/** Up to three digits, and at most two after the point. More would not help a person. */
const MEASURE = new Intl.NumberFormat('en-US', {
  maximumSignificantDigits: 3,
  maximumFractionDigits: 2,
  roundingPriority: 'lessPrecision',
});
const COMPACT = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  maximumSignificantDigits: 3,
});
const DATE_TIME = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  dateStyle: 'medium',
  timeStyle: 'short',
});
const DATE = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'medium' });

export function formatNumber(value: number): string {
  return NUMBER.format(value);
}

/** Formats a rate, a time or a large number with few digits, for example 1,530 or 123K. */
export function formatMeasure(value: number | null | undefined): string {
  if (typeof value !== 'number') return '–';
  return (value < 100_000 ? MEASURE : COMPACT).format(value);
}

/** Formats a measured time, for example 12.8 µs, 0.42 ms or 1.2 s. */
export function formatElapsed(ms: number | null | undefined): string {
  if (ms && ms < 0.1) return `${formatMeasure(ms * 1_000)} µs`;
  if (ms && ms >= 1_000) return `${formatMeasure(ms / 1_000)} s`;
  return `${formatMeasure(ms)} ms`;
}

/** For example 16 Nov 2026, 02:07 UTC. */
export function formatDateTime(iso: string): string {
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

/** For example "3 minutes". */
export function formatDuration(seconds: number): string {
  for (const [size, name] of UNITS) {
    const count = Math.floor(seconds / size);
    // From two of a unit on: "30 hours" says more than "1 day".
    if (count > 1) return `${formatNumber(count)} ${name}s`;
  }
  return 'a minute';
}

function formatRelative(iso: string): string {
  const seconds = (Date.parse(iso) - now()) / 1000;
  if (Math.abs(seconds) < 60) return seconds <= 0 ? 'just now' : 'in less than a minute';
  return seconds > 0 ? `in ${formatDuration(seconds)}` : `${formatDuration(-seconds)} ago`;
}

export function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

export function plural(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}
