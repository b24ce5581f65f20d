import { requireClocks } from './check.ts';
import { exhaustFreeMinute, FREE_PER_DAY, sendFree } from './free-plan.ts';
import { retryAfterSeconds } from './headers.ts';
import type { RoundTrip } from './round-trip.ts';
import { MAX_WAIT_SECONDS, type Session } from './session.ts';
import { DAY_MS, midnightAfter } from './test-clocks.ts';

const MAX_REFUSALS_IN_A_ROW = 3;

interface ExhaustedDay {
  /** Requests admitted in one day. */
  readonly admitted: number;
  /** The first request over the limit. Its status is not 429 if the service admitted it. */
  readonly overLimit: RoundTrip;
  /** The first refusal of a request that was sent after Retry-After, if there was one. */
  readonly refusedAgain: RoundTrip | undefined;
  /** The first request after the Retry-After of the day. */
  readonly nextDay: RoundTrip;
}

/** Uses up one day of the Free plan, as a client that waits for Retry-After after each 429. */
export function exhaustFreeDay(session: Session): Promise<ExhaustedDay> {
  return session.cached('a day of the Free plan', async () => {
    requireClocks(session, 'This would use up the key for the rest of the day.');
    // The clock never goes back, so the minute comes first.
    await exhaustFreeMinute(session);
    startDay(session);
    const { overLimit, ...count } = await countAdmitted(session);
    await session.wait(secondsToWait(overLimit), 'free');
    return { ...count, overLimit, nextDay: await sendFree(session) };
  });
}

/** The windows of a service may be the last 24 hours, so that nothing is counted only after them. */
export function startDay(session: Session): void {
  session.moveClock('free', midnightAfter(session.timeMs('free') + DAY_MS));
}

async function countAdmitted(session: Session) {
  let admitted = 0;
  let refusedAgain: RoundTrip | undefined;
  for (let refusals = 0; ; ) {
    const roundTrip = await sendFree(session);
    if (roundTrip.response.status !== 429) {
      refusals = 0;
      if (++admitted > FREE_PER_DAY) return { admitted, overLimit: roundTrip, refusedAgain };
      continue;
    }
    const seconds = secondsToWait(roundTrip);
    const isDayOver = seconds > MAX_WAIT_SECONDS;
    if (refusals > 0 && !isDayOver) refusedAgain ??= roundTrip;
    if (isDayOver || ++refusals === MAX_REFUSALS_IN_A_ROW) {
      return { admitted, overLimit: roundTrip, refusedAgain };
    }
    await session.wait(seconds, 'free');
  }
}

function secondsToWait({ response, receivedAtMs }: RoundTrip): number {
  return retryAfterSeconds(response, receivedAtMs) ?? 60;
}
