import { type Decision, secondsUntil } from './rate-limit.ts';

const STRIKES_TO_BAN = 30;
const STRIKE_MEMORY_SECONDS = 60;
const FIRST_BAN_SECONDS = 5 * 60;
const LONGEST_BAN_SECONDS = 60 * 60;
const CLEAN_SECONDS = 24 * 60 * 60;
const GRACE_SECONDS = 1;

/** What a key has done after it was told to wait. Times are Unix seconds, but for `touchedAtMs`. */
export interface Penalty {
  /** The reset of the window that refused last, and the second of its first refusal. */
  readonly refusedUntil: number;
  readonly firstRefusedAt: number;
  /** The seconds at which requests came that had been told better, oldest first. */
  readonly strikes: readonly number[];
  readonly bannedUntil: number;
  /** How many bans there have been since the last clean day. */
  readonly bans: number;
  readonly touchedAtMs: number;
}

const NO_PENALTY: Penalty = {
  refusedUntil: 0,
  firstRefusedAt: 0,
  strikes: [],
  bannedUntil: 0,
  bans: 0,
  touchedAtMs: 0,
};

/** The penalty as it still counts: an operator's pardon wipes out all that came before it. */
export function penaltyAfterPardon(
  penalty: Penalty | undefined,
  pardonedAtMs: number,
): Penalty | undefined {
  return penalty !== undefined && penalty.touchedAtMs > pardonedAtMs ? penalty : undefined;
}

/** How long the key is still banned, in whole seconds; 0 when it is not. */
export function banSecondsLeft(penalty: Penalty | undefined, nowMs: number): number {
  if (penalty === undefined || penalty.bannedUntil * 1000 <= nowMs) return 0;
  return secondsUntil(penalty.bannedUntil, nowMs);
}

/**
 * Notes that a window refused a request of this key. A strike is one that comes after the second
 * in which the window first refused and the one that follows: `Retry-After` is rounded up to whole
 * seconds, so requests that obey it are spread over one second, and travel for up to another.
 */
export function penaltyAfterRefusal(
  previous: Penalty | undefined,
  refusal: Decision,
  nowMs: number,
): Penalty {
  const now = Math.floor(nowMs / 1000);
  const penalty = { ...(previous ?? NO_PENALTY), touchedAtMs: nowMs };
  if (penalty.refusedUntil !== refusal.resetSeconds) {
    return { ...penalty, refusedUntil: refusal.resetSeconds, firstRefusedAt: now };
  }
  if (now - penalty.firstRefusedAt <= GRACE_SECONDS) return penalty;

  const strikes = penalty.strikes.filter((at) => now - at < STRIKE_MEMORY_SECONDS);
  strikes.push(now);
  if (strikes.length < STRIKES_TO_BAN) return { ...penalty, strikes };

  const clean = now >= penalty.bannedUntil + CLEAN_SECONDS;
  const bans = clean ? 1 : penalty.bans + 1;
  const banSeconds = Math.min(FIRST_BAN_SECONDS * 2 ** (bans - 1), LONGEST_BAN_SECONDS);
  return { ...penalty, strikes: [], bans, bannedUntil: now + banSeconds };
}

/** The penalty holds nothing that a later request could need. */
export function isPenaltyOver(penalty: Penalty, nowMs: number): boolean {
  const now = nowMs / 1000;
  const lastStrike = penalty.strikes.at(-1) ?? 0;
  return (
    now >= penalty.refusedUntil &&
    now >= lastStrike + STRIKE_MEMORY_SECONDS &&
    now >= penalty.bannedUntil + CLEAN_SECONDS
  );
}
