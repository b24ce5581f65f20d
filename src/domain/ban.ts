import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from './durations.ts';
import { type Refusal, type Standing, secondsUntil } from './rate-limit.ts';

/** The numbers of strikes and bans, for whatever counts them. */
export const BAN_RULES = {
  strikesToBan: 30,
  strikeMemorySeconds: MINUTE_SECONDS,
  /** How long a key has to learn of the first refusal. */
  learningSeconds: 1,
  /** How many requests an obedient client may have under way at once, and never be banned. */
  mostInFlight: 200,
  firstBanSeconds: 5 * MINUTE_SECONDS,
  longestBanSeconds: HOUR_SECONDS,
  /** After how long without a ban the next one is a first one again. */
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

/** What a key has done after it was told to wait. */
export interface Penalty {
  /** Of the window that refused last: its reset, its first refusal, and how many it refused. */
  readonly refusedUntilSeconds: number;
  readonly firstRefusedAtSeconds: number;
  refusals: number;
  /** The Unix seconds at which requests came that should have known better, oldest first. */
  readonly strikes: readonly number[];
  readonly bannedUntilSeconds: number;
  /** How many bans there have been since the last clean day. */
  readonly bans: number;
  /** The key's `unbannedAtMs` under which all this was noted. */
  readonly unbannedAtMs: number;
}

/** The penalty as it still counts: an operator who lifts a ban wipes out all that led to it. */
export function penaltyAfterUnban(
  penalty: Penalty | undefined,
  unbannedAtMs: number,
): Penalty | undefined {
  return penalty?.unbannedAtMs === unbannedAtMs ? penalty : undefined;
}

export function isBanned(penalty: Penalty, nowMs: number): boolean {
  return penalty.bannedUntilSeconds * 1000 > nowMs;
}

/** The refusal of a key that is banned. The ban is the limit told. */
export function refusalByBan(
  penalty: Pick<Penalty, 'bannedUntilSeconds'>,
  standing: Standing,
  nowMs: number,
): Refusal {
  return {
    ...standing,
    remaining: 0,
    resetAtSeconds: penalty.bannedUntilSeconds,
    refusedBy: 'ban',
    retryAfterSeconds: secondsUntil(penalty.bannedUntilSeconds, nowMs),
  };
}

/**
 * Notes that a window refused a request of this key: in place where that only makes one refusal more,
 * else in another penalty. It is a strike only when the key has had time to learn of the first
 * refusal, and was refused more often than obedient requests could be: each request in flight is
 * refused once at most in a window, since it then waits for the next.
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
    const refused = {
      refusedUntilSeconds: resetAtSeconds,
      firstRefusedAtSeconds: now,
      refusals: 1,
    };
    return { ...last, ...refused };
  }
  last.refusals++;
  const isLearning = now - last.firstRefusedAtSeconds <= BAN_RULES.learningSeconds;
  if (isLearning || last.refusals <= BAN_RULES.mostInFlight) return last;

  const strikes = last.strikes.filter((at) => now - at < BAN_RULES.strikeMemorySeconds);
  strikes.push(now);
  if (strikes.length < BAN_RULES.strikesToBan) return { ...last, strikes };

  const clean = now >= last.bannedUntilSeconds + BAN_RULES.cleanSeconds;
  const bans = clean ? 1 : last.bans + 1;
  const banSeconds = Math.min(
    BAN_RULES.firstBanSeconds * 2 ** (bans - 1),
    BAN_RULES.longestBanSeconds,
  );
  return { ...last, strikes: [], bans, bannedUntilSeconds: now + banSeconds };
}

/** The penalty holds nothing that a later request could need. */
export function isPenaltyOver(penalty: Penalty, nowMs: number): boolean {
  const now = nowMs / 1000;
  const lastStrike = penalty.strikes.at(-1) ?? 0;
  return (
    now >= penalty.refusedUntilSeconds &&
    now >= lastStrike + BAN_RULES.strikeMemorySeconds &&
    now >= penalty.bannedUntilSeconds + BAN_RULES.cleanSeconds
  );
}
