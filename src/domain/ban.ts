import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from './durations.ts';
import { type Refusal, secondsUntil } from './rate-limit.ts';

const STRIKES_TO_BAN = 30;
const STRIKE_MEMORY_SECONDS = MINUTE_SECONDS;
const FIRST_BAN_SECONDS = 5 * MINUTE_SECONDS;
const LONGEST_BAN_SECONDS = HOUR_SECONDS;
const CLEAN_SECONDS = DAY_SECONDS;
const LEARNING_SECONDS = 1;

/** What a key has done after it was told to wait. */
export interface Penalty {
  /** The reset of the window that refused last, and the second of its first refusal. */
  readonly refusedUntilSeconds: number;
  readonly firstRefusedAtSeconds: number;
  /** The Unix seconds at which requests came that had been told better, oldest first. */
  readonly strikes: readonly number[];
  readonly bannedUntilSeconds: number;
  /** How many bans there have been since the last clean day. */
  readonly bans: number;
  readonly touchedAtMs: number;
}

const NO_PENALTY: Penalty = {
  refusedUntilSeconds: 0,
  firstRefusedAtSeconds: 0,
  strikes: [],
  bannedUntilSeconds: 0,
  bans: 0,
  touchedAtMs: 0,
};

/** An operator who lifts a ban wipes out all that led to it. */
export function isWipedOut(touchedAtMs: number, unbannedAtMs: number): boolean {
  return touchedAtMs <= unbannedAtMs;
}

/** The penalty as it still counts. */
export function penaltyAfterUnban(
  penalty: Penalty | undefined,
  unbannedAtMs: number,
): Penalty | undefined {
  if (penalty === undefined || isWipedOut(penalty.touchedAtMs, unbannedAtMs)) return undefined;
  return penalty;
}

/** How long the key is still banned, in whole seconds; 0 when it is not. */
export function banSecondsLeft(penalty: Penalty | undefined, nowMs: number): number {
  if (penalty === undefined || penalty.bannedUntilSeconds * 1000 <= nowMs) return 0;
  return secondsUntil(penalty.bannedUntilSeconds, nowMs);
}

/**
 * Notes that a window refused a request of this key. A strike is one that comes after the second
 * in which the window first refused and the one that follows: `Retry-After` is rounded up to whole
 * seconds, so requests that obey it are spread over one second, and travel for up to another.
 */
export function penaltyAfterRefusal(
  previous: Penalty | undefined,
  refusal: Refusal,
  nowMs: number,
): Penalty {
  const now = Math.floor(nowMs / 1000);
  const penalty = { ...(previous ?? NO_PENALTY), touchedAtMs: nowMs };
  if (penalty.refusedUntilSeconds !== refusal.resetAtSeconds) {
    return { ...penalty, refusedUntilSeconds: refusal.resetAtSeconds, firstRefusedAtSeconds: now };
  }
  if (now - penalty.firstRefusedAtSeconds <= LEARNING_SECONDS) return penalty;

  const strikes = penalty.strikes.filter((at) => now - at < STRIKE_MEMORY_SECONDS);
  strikes.push(now);
  if (strikes.length < STRIKES_TO_BAN) return { ...penalty, strikes };

  const clean = now >= penalty.bannedUntilSeconds + CLEAN_SECONDS;
  const bans = clean ? 1 : penalty.bans + 1;
  const banSeconds = Math.min(FIRST_BAN_SECONDS * 2 ** (bans - 1), LONGEST_BAN_SECONDS);
  return { ...penalty, strikes: [], bans, bannedUntilSeconds: now + banSeconds };
}

/** The penalty holds nothing that a later request could need. */
export function isPenaltyOver(penalty: Penalty, nowMs: number): boolean {
  const now = nowMs / 1000;
  const lastStrike = penalty.strikes.at(-1) ?? 0;
  return (
    now >= penalty.refusedUntilSeconds &&
    now >= lastStrike + STRIKE_MEMORY_SECONDS &&
    now >= penalty.bannedUntilSeconds + CLEAN_SECONDS
  );
}
