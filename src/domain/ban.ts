import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from './durations.ts';
import { type Quota, type Refusal, secondsUntil } from './rate-limit.ts';

/** The numbers that decide strikes and bans. The script in Redis uses the same ones. */
export const BAN_RULES = {
  strikesToBan: 30,
  strikeMemorySeconds: MINUTE_SECONDS,
  /** A client has this long to notice its first refusal. Refusals in this time do not count as strikes. */
  learningSeconds: 1,
  /** A client that waits after a refusal is never banned, even with this many requests in flight. */
  mostInFlight: 200,
  firstBanSeconds: 5 * MINUTE_SECONDS,
  longestBanSeconds: HOUR_SECONDS,
  /** After this long without a ban, the next ban is as short as the first. */
  cleanSeconds: DAY_SECONDS,
} as const;

export const NO_PENALTY = {
  refusedUntilSeconds: 0,
  firstRefusedAtSeconds: 0,
  refusals: 0,
  strikes: [],
  bannedUntilSeconds: 0,
  bans: 0,
};

/** The refusals, strikes and bans of a key. */
export interface Penalty {
  /** The window that refused last: when it resets, when it first refused, and how often. */
  readonly refusedUntilSeconds: number;
  readonly firstRefusedAtSeconds: number;
  refusals: number;
  /** The Unix seconds of recent strikes, oldest first. */
  readonly strikes: readonly number[];
  readonly bannedUntilSeconds: number;
  /** Bans since the last clean day. */
  readonly bans: number;
  /** The key's `unbannedAtMs` when this was recorded. */
  readonly unbannedAtMs: number;
}

/** If an operator has lifted a ban since, that clears everything that led to it. */
function hasEffect(penalty: Penalty | undefined, unbannedAtMs: number): penalty is Penalty {
  return penalty?.unbannedAtMs === unbannedAtMs;
}

/** Returns the Unix second at which the ban of a key ends, or undefined if the key is not banned. */
export function endOfBan(
  penalty: Penalty | undefined,
  unbannedAtMs: number,
  nowMs: number,
): number | undefined {
  if (!hasEffect(penalty, unbannedAtMs)) return undefined;
  const { bannedUntilSeconds } = penalty;
  return bannedUntilSeconds * 1000 > nowMs ? bannedUntilSeconds : undefined;
}

/** The refusal of a banned key. Its rate limit headers describe the ban, as if it were both windows. */
export function refusalByBan(resetAtSeconds: number, quota: Quota, nowMs: number): Refusal {
  const ban = { remaining: 0, resetAtSeconds };
  const { windows } = quota;
  return {
    ...quota,
    ...ban,
    windows: windows && {
      minute: { ...windows.minute, ...ban },
      day: { ...windows.day, ...ban },
      nowMs,
    },
    refusedBy: 'ban',
    retryAfterSeconds: secondsUntil(resetAtSeconds, nowMs),
  };
}

/**
 * Returns the penalty of a key after another refusal. If only the number of refusals changes, it updates
 * the previous object and returns it.
 *
 * A refusal is a strike if the client has had time to notice its first refusal, and was refused more often
 * than a client that waits could be: each request in flight of such a client is refused at most once in a
 * window. Enough strikes in a short time ban the key.
 */
export function penaltyAfterRefusal(
  previous: Penalty | undefined,
  { resetAtSeconds }: Refusal,
  unbannedAtMs: number,
  nowMs: number,
): Penalty {
  const now = Math.floor(nowMs / 1000);
  const last = hasEffect(previous, unbannedAtMs) ? previous : { ...NO_PENALTY, unbannedAtMs };
  if (last.refusedUntilSeconds !== resetAtSeconds) {
    return {
      ...last,
      refusedUntilSeconds: resetAtSeconds,
      firstRefusedAtSeconds: now,
      refusals: 1,
    };
  }
  last.refusals++;
  const isLearning = now - last.firstRefusedAtSeconds <= BAN_RULES.learningSeconds;
  if (isLearning || last.refusals <= BAN_RULES.mostInFlight) return last;

  const strikes = last.strikes.filter((at) => now - at < BAN_RULES.strikeMemorySeconds);
  strikes.push(now);
  if (strikes.length < BAN_RULES.strikesToBan) return { ...last, strikes };

  const clean = now >= last.bannedUntilSeconds + BAN_RULES.cleanSeconds;
  const bans = clean ? 1 : last.bans + 1;
  const seconds = Math.min(
    BAN_RULES.firstBanSeconds * 2 ** (bans - 1),
    BAN_RULES.longestBanSeconds,
  );
  return { ...last, strikes: [], bans, bannedUntilSeconds: now + seconds };
}

/** True if no later request can need this penalty. */
export function isPenaltyOver(penalty: Penalty, nowMs: number): boolean {
  const now = nowMs / 1000;
  const lastStrike = penalty.strikes.at(-1) ?? 0;
  return (
    now >= penalty.refusedUntilSeconds &&
    now >= lastStrike + BAN_RULES.strikeMemorySeconds &&
    now >= penalty.bannedUntilSeconds + BAN_RULES.cleanSeconds
  );
}
