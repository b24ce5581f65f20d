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
