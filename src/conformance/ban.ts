import { requireClocks } from './check.ts';
import { exhaustFreeDay, startDay } from './free-day.ts';
import { FREE_PER_MINUTE, sendFree } from './free-plan.ts';
import { retryAfterSeconds } from './headers.ts';
import type { RoundTrip } from './round-trip.ts';
import type { Session } from './session.ts';
import { DAY_MS } from './test-clocks.ts';

/** A service may allow for the requests in flight, and for the time until a client notices a 429. */
const MAX_SENT = 400;
const SENT_AT_ONCE = 50;
const LATER_SECONDS = 2;
/** Requests need time, and clocks differ by as much. */
const TOLERANCE_MS = 5_000;

interface KeptSending {
  /** A request shortly before the end of the ban. Undefined if the key was not banned. */
  readonly beforeEnd: RoundTrip | undefined;
  readonly afterEnd: RoundTrip;
}

/** Keeps sending after a 429, and sees whether and how long the key is banned. */
export function keepSending(session: Session): Promise<KeptSending> {
  return session.cached('a ban', async () => {
    requireClocks(session, 'This could ban the key.');
    // The clock never goes back, so the other limits come first.
    await exhaustFreeDay(session);
    startDay(session);
    const refused = await firstRefusal(session);
    const { last, isBan } = await sendOn(session, endMs(refused));
    const banEndMs = endMs(last);
    let beforeEnd: RoundTrip | undefined;
    if (isBan && banEndMs - TOLERANCE_MS > session.timeMs('free')) {
      session.moveClock('free', banEndMs - TOLERANCE_MS);
      beforeEnd = await sendFree(session);
    }
    session.moveClock('free', Math.max(banEndMs, session.timeMs('free')));
    return { beforeEnd, afterEnd: await sendFree(session) };
  });
}

/** In a minute that does not end soon. */
async function firstRefusal(session: Session): Promise<RoundTrip> {
  let last = await sendFree(session);
  for (let sent = 0; sent < 3 * FREE_PER_MINUTE && !isLasting(last); sent++) {
    const { response, receivedAtMs } = last;
    if (response.status === 429) {
      await session.wait(retryAfterSeconds(response, receivedAtMs) ?? 60, 'free');
    }
    last = await sendFree(session);
  }
  return last;
}

function isLasting(roundTrip: RoundTrip): boolean {
  const { response, receivedAtMs } = roundTrip;
  return response.status === 429 && endMs(roundTrip) - receivedAtMs > 2 * TOLERANCE_MS;
}

/** Until the service refuses for longer than the window, or admits a request. */
async function sendOn(session: Session, windowEndMs: number) {
  let last = await sendFree(session);
  let isBan = false;
  for (let sent = 1; sent < MAX_SENT && last.response.status === 429 && !isBan; sent++) {
    if (sent === SENT_AT_ONCE) await session.wait(LATER_SECONDS, 'free');
    last = await sendFree(session);
    isBan = last.response.status >= 400 && endMs(last) > windowEndMs + TOLERANCE_MS;
  }
  return { last, isBan };
}

/** When Retry-After is over. A day later if there is none, since a ban must end. */
function endMs({ response, receivedAtMs }: RoundTrip): number {
  const seconds = retryAfterSeconds(response, receivedAtMs);
  return receivedAtMs + (seconds === undefined ? DAY_MS : seconds * 1000);
}
