import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from './durations.ts';
import { type Quota, type Refusal, secondsUntil } from './rate-limit.ts';

/** The rules of strikes and bans, for every limiter. */
export const BAN_RULES = {
  strikesToBan: 30,
  strikeMemorySeconds: MINUTE_SECONDS,
  /** A key has this long to notice its first refusal. */
  learningSeconds: 1,
  /** A client that waits is never banned with this many requests in flight. */
  mostInFlight: 200,
  firstBanSeconds: 5 * MINUTE_SECONDS,
  longestBanSeconds: HOUR_SECONDS,
  /** After this long without a ban, the next one is as short as the first. */
  cleanSeconds: DAY_SECONDS,
} as const;

const NO_PENALTY = {
  refusedUntilSeconds: 0,
  firstRefusedAtSeconds: 0,
  refusals: 0,
  strikes: [],
  bannedUntilSeconds: 0,
  bans: 0,
};

/** The refusals, strikes and bans of a key. */
export interface Penalty {
  /** The window that refused last: its reset, its first refusal and its number of refusals. */
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

/** Undefined if an operator has lifted the ban since, which clears everything that led to it. */
export function penaltyAfterUnban(
  penalty: Penalty | undefined,
  unbannedAtMs: number,
): Penalty | undefined {
  return penalty?.unbannedAtMs === unbannedAtMs ? penalty : undefined;
}

export function isBanned(penalty: Penalty, nowMs: number): boolean {
  return penalty.bannedUntilSeconds * 1000 > nowMs;
}

/** When the ban of a key ends. Null if it is not banned now. */
export function endOfBan(
  saved: Penalty | undefined,
  unbannedAtMs: number,
  nowMs: number,
): number | null {
  const penalty = penaltyAfterUnban(saved, unbannedAtMs);
  return penalty && isBanned(penalty, nowMs) ? penalty.bannedUntilSeconds * 1000 : null;
}

/** The refusal of a banned key. Its headers report the ban. */
export function refusalByBan(
  penalty: Pick<Penalty, 'bannedUntilSeconds'>,
  quota: Quota,
  nowMs: number,
): Refusal {
  return {
    ...quota,
    remaining: 0,
    resetAtSeconds: penalty.bannedUntilSeconds,
    refusedBy: 'ban',
    retryAfterSeconds: secondsUntil(penalty.bannedUntilSeconds, nowMs),
  };
}

/**
 * Records a refusal: in place if it only adds to the count, else in a new penalty. It is a strike if
 * the key has had time to notice its first refusal and was refused more often than a client that
 * waits could be. Such a client has each request in flight refused at most once in a window.
 */
export function penaltyAfterRefusal(
  previous: Penalty | undefined,
  { resetAtSeconds }: Refusal,
  unbannedAtMs: number,
  nowMs: number,
): Penalty {
  const now = Math.floor(nowMs / 1000);
  const last = previous ?? { ...NO_PENALTY, unbannedAtMs };
  if (last.refusedUntilSeconds !== resetAtSeconds) {
    const first = { refusedUntilSeconds: resetAtSeconds, firstRefusedAtSeconds: now, refusals: 1 };
    return { ...last, ...first };
  }
  last.refusals++;
  const isLearning = now - last.firstRefusedAtSeconds <= BAN_RULES.learningSeconds;
  if (isLearning || last.refusals <= BAN_RULES.mostInFlight) return last;

  const strikes = last.strikes.filter((at) => now - at < BAN_RULES.strikeMemorySeconds);
  strikes.push(now);
  if (strikes.length < BAN_RULES.strikesToBan) return { ...last, strikes };

  const clean = now >= last.bannedUntilSeconds + BAN_RULES.cleanSeconds;
  const bans = clean ? 1 : last.bans + 1;
  return { ...last, strikes: [], bans, bannedUntilSeconds: now + banSeconds(bans) };
}

function banSeconds(bans: number): number {
  return Math.min(BAN_RULES.firstBanSeconds * 2 ** (bans - 1), BAN_RULES.longestBanSeconds);
}

/** No later request can need this penalty. */
export function isPenaltyOver(penalty: Penalty, nowMs: number): boolean {
  const now = nowMs / 1000;
  const lastStrike = penalty.strikes.at(-1) ?? 0;
  return (
    now >= penalty.refusedUntilSeconds &&
    now >= lastStrike + BAN_RULES.strikeMemorySeconds &&
    now >= penalty.bannedUntilSeconds + BAN_RULES.cleanSeconds
  );
}
