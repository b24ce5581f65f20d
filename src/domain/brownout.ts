import { DAY_MS, MINUTE_MS } from './durations.ts';
import { OperatorError } from './error.ts';
import { durationMs, formatDay, formatTime, parseMinute } from './time-text.ts';

/** A short, planned outage of getPet, which then responds as it will after its removal. */
export interface Brownout {
  readonly startsAtMs: number;
  readonly endsAtMs: number;
}

/**
 * Reads the setting BROWNOUTS, and returns the brownouts in the order of their start. Throws
 * `OperatorError`. A brownout in the past is valid, because an old setting must not prevent a restart.
 */
export function parseBrownouts(setting: string, removedAtMs: number): Brownout[] {
  const brownouts = setting
    .split(',')
    .map((entry) => parseBrownout(entry.trim(), removedAtMs))
    .toSorted((a, b) => a.startsAtMs - b.startsAtMs);
  for (const [index, { startsAtMs }] of brownouts.entries()) {
    const before = brownouts[index - 1];
    if (before === undefined || before.endsAtMs <= startsAtMs) continue;
    throw new OperatorError(
      'BROWNOUTS must have brownouts that do not overlap: ' +
        `one ends at ${formatTime(before.endsAtMs)}, and the next starts at ${formatTime(startsAtMs)}.`,
    );
  }
  return brownouts;
}

function parseBrownout(entry: string, removedAtMs: number): Brownout {
  const [start = '', length = '', ...more] = entry.split('/');
  const startsAtMs = parseMinute(start) ?? Number.NaN;
  const lengthMs = durationMs(length) ?? Number.NaN;
  const endsAtMs = startsAtMs + lengthMs;
  const isLengthAllowed = lengthMs >= MINUTE_MS && lengthMs <= DAY_MS;
  if (isLengthAllowed && endsAtMs <= removedAtMs && more.length === 0) {
    return { startsAtMs, endsAtMs };
  }
  throw new OperatorError(
    'BROWNOUTS must be start/duration, separated by commas, with a time zone, such as ' +
      '2030-06-01T10:00Z/1h,2030-09-01T12:00+02:00/15m, with durations from 1m to 24h that end by the ' +
      `removal of getPet on ${formatDay(removedAtMs)}, not ${JSON.stringify(entry)}.`,
  );
}

export function brownoutState({ startsAtMs, endsAtMs }: Brownout, nowMs: number) {
  if (nowMs < startsAtMs) return 'planned';
  return nowMs < endsAtMs ? 'active' : 'over';
}

/** Returns the brownout that is active at this time, if there is one. */
export function brownoutAt(brownouts: readonly Brownout[], nowMs: number): Brownout | undefined {
  return brownouts.find((brownout) => brownoutState(brownout, nowMs) === 'active');
}
