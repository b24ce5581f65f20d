import {
  type ApiResponse,
  type Credential,
  isClientError,
  type KeyName,
  retryAfter,
} from './http.ts';
import { HARMLESS_REQUESTS } from './samples.ts';
import {
  CHEAP,
  DAY_MS,
  type Limits,
  MAX_WAIT_SECONDS,
  need,
  needStatement,
  type Session,
  shared,
} from './session.ts';

export const FREE: Limits = { perMinute: 60, perDay: 1_000 };
const MAX_TRIES = 3;
/** The time that the requests after the first refusal need. */
const FURTHER_SECONDS = 4;

/** Uses up one minute of the Free plan, for all statements on limits. */
export const useMinute = shared(async (session) => {
  session.requireKey('free');
  if (session.hasClocks) await session.startClock('free');
  const minute = await countMinute(session, 'free', FREE.perMinute);
  const requests = minute.overLimit.status === 429 ? HARMLESS_REQUESTS : [];
  const others = await Array.fromAsync(requests, (request) =>
    session.sendNow({ ...request, credential: 'free' }),
  );
  return { ...minute, others };
});

/**
 * Counts the requests that a minute admits. Counts again in the next minute if this one had already
 * begun, or leaves no time for further requests.
 */
async function countMinute(session: Session, credential: Credential, perMinute: number) {
  for (let tries = 1; ; tries++) {
    const startedAtMs = session.timeMs(credential);
    let admitted = 0;
    /** The first request over the limit. Its status is not 429 if the service admitted it. */
    let overLimit = await send(session, credential);
    if (overLimit.status === 401) {
      session.stop(`The service does not accept the ${credential} key.`);
    }
    // Enough for a minute that ends once during the count.
    while (overLimit.status !== 429 && admitted < 2 * perMinute) {
      admitted++;
      overLimit = await send(session, credential);
    }
    const isRefused = overLimit.status === 429;
    const isFast = overLimit.receivedAtMs - startedAtMs < 60_000;
    need(isRefused || isFast, 'The service is too slow to use up a minute of the plan.');
    const seconds = waitAfter(overLimit);
    const isWhole = admitted === perMinute && seconds >= FURTHER_SECONDS;
    if (isWhole || tries === MAX_TRIES || !isRefused) return { admitted, overLimit };
    await session.wait(seconds, credential);
  }
}

/** The first request over the limit. */
export async function overLimitIn(session: Session): Promise<ApiResponse> {
  return (await useMinute(session)).overLimit;
}

/** The first 429 of that minute. */
export async function refusal(session: Session): Promise<ApiResponse> {
  const overLimit = await overLimitIn(session);
  needStatement(overLimit.status === 429, 'limits.exceeded');
  return overLimit;
}

/** Sends a refused request again after Retry-After. Waits once per run. */
export const retry = shared(async (session) => {
  const refused = await refusal(session);
  needStatement(retryAfter(refused) !== undefined, 'errors.429.retryAfter');
  const secondsLeft = Math.ceil((endMsOf(refused) - session.timeMs('free')) / 1000);
  if (secondsLeft > 0) await session.wait(secondsLeft, 'free');
  return { refused, retried: await session.sendNow(refused.request) };
});

/** Uses up one day of the Free plan, as a client that waits for Retry-After after each 429. */
export const useDay = shared(async (session) => {
  await startDay(session, 'free');
  let admitted = 0;
  let refusals = 0;
  /** The first refusal of a request that was sent after Retry-After. */
  let refusedAgain: ApiResponse | undefined;
  let last = await send(session, 'free');
  const isDayOver = () => waitAfter(last) > MAX_WAIT_SECONDS;
  while (admitted <= FREE.perDay && refusals < MAX_TRIES && !isDayOver()) {
    if (last.status === 429) {
      if (++refusals > 1) refusedAgain ??= last;
      await session.wait(waitAfter(last), 'free');
    } else {
      refusals = 0;
      admitted++;
    }
    last = await send(session, 'free');
  }
  await session.wait(waitAfter(last), 'free');
  return { admitted, overLimit: last, refusedAgain, next: await send(session, 'free') };
});

/**
 * A service may tolerate many requests that were in flight, and some time until a client has seen a 429,
 * before it bans a key.
 */
const MAX_SENT = 400;
const LATER_SECONDS = 2;
/** Requests take time, and the clock of the service may differ by as much. */
const TOLERANCE_MS = 5_000;

/** Keeps sending after a 429, and sees if and how long the key is banned. */
export const keepSending = shared(async (session) => {
  await startDay(session, 'free');
  let { overLimit: last } = await countMinute(session, 'free', FREE.perMinute);
  const windowEndMs = endMsOf(last);
  const isBan = () => isClientError(last) && endMsOf(last) > windowEndMs + TOLERANCE_MS;
  await session.wait(LATER_SECONDS, 'free');
  for (let sent = 0; sent < MAX_SENT && last.status === 429 && !isBan(); sent++) {
    last = await send(session, 'free');
  }
  const endMs = endMsOf(last);
  /** Undefined if the key was not banned. */
  let beforeEnd: ApiResponse | undefined;
  if (isBan()) {
    session.moveClock('free', endMs - TOLERANCE_MS);
    beforeEnd = await send(session, 'free');
  }
  session.moveClock('free', Math.max(endMs, session.timeMs('free')));
  return { beforeEnd, afterEnd: await send(session, 'free') };
});

/** The seconds to wait after a refusal. Without Retry-After, that is a whole minute. */
function waitAfter(response: ApiResponse): number {
  return retryAfter(response) ?? 60;
}

/** When the time in Retry-After ends. Without the header, a day later, because every ban must end. */
function endMsOf(response: ApiResponse): number {
  const seconds = retryAfter(response);
  return response.receivedAtMs + (seconds === undefined ? DAY_MS : seconds * 1000);
}

/**
 * Counts a minute of a plan. A day of these plans takes too many requests, so its limit is the one in
 * the 429 of a key that simulates a full day.
 */
export async function usePlan(session: Session, plan: KeyName, limits: Limits) {
  await startDay(session, plan);
  const request = { ...CHEAP, credential: plan, failure: '~rate_limit_day' };
  const fullDay = await session.sendNow(request);
  need(fullDay.status === 429, `The ${plan} key followed by ~rate_limit_day does not return 429.`);
  return { limits, fullDay, ...(await countMinute(session, plan, limits.perMinute)) };
}

/** Starts a day on the test clock of a key. */
async function startDay(session: Session, key: KeyName): Promise<void> {
  session.requireClocks();
  session.requireKey(key);
  await session.startClock(key);
}

function send(session: Session, credential: Credential): Promise<ApiResponse> {
  return session.sendNow({ ...CHEAP, credential });
}
