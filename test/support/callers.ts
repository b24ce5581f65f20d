import type { Caller, Decision, Limiter, Quota } from '../../src/domain/rate-limit.ts';

let accounts = 0;

/** A caller with a new account and a new key. */
export function newCaller(perMinute: number, perDay: number) {
  const id = ++accounts;
  return { subject: `account:${id}`, perMinute, perDay, id, unbannedAtMs: 0 };
}

export function withoutKey({ subject, perMinute, perDay }: Caller) {
  return { subject, perMinute, perDay };
}

/** A limiter whose callers all have the same clock. */
export interface ClockedLimiter {
  take(caller: Caller): Promise<Decision>;
}

export function withClock(limiter: Limiter, now: () => number): ClockedLimiter {
  const timeOf = ({ clockOffsetMs = 0 }: Caller) => now() + clockOffsetMs;
  return {
    take: async (caller) => limiter.take(caller, timeOf(caller)),
  };
}

export function takeAll(
  limiter: ClockedLimiter,
  caller: Caller,
  count: number,
): Promise<Decision[]> {
  return Promise.all(Array.from({ length: count }, () => limiter.take(caller)));
}

/** The part that the caller sees. Redis keeps no minute of a refusal, so a clock that steps back may change the count. */
export function withoutMinuteUsed<T extends Quota>(decision: T): Omit<T, 'minuteUsed'> {
  const { minuteUsed: _, ...seen } = decision as T & { minuteUsed?: number };
  return seen;
}

export function admitted(decisions: readonly Decision[]): number {
  return decisions.filter(({ refusedBy }) => refusedBy === undefined).length;
}
