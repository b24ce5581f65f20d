import {
  type ApiResponse,
  type Credential,
  isClientError,
  type KeyName,
  retryAfter,
} from './http.ts';
import { REQUESTS } from './samples.ts';
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
/** The time that the requests after the first refusal take. They must arrive before the minute ends. */
const FURTHER_SECONDS = 4;

/** Uses up the minute of the Free plan, for several statements about limits. */
export const useMinute = shared(async (session) => {
  session.requireKey('free');
  if (session.hasClocks) await session.startClock('free');
  const minute = await countMinute(session, 'free', FREE.perMinute);
  const requests = minute.overLimit.status === 429 ? Object.values(REQUESTS) : [];
  const others = await Array.fromAsync(requests, (request) =>
    session.sendNow({ ...request, credential: 'free' }),
  );
  return { ...minute, others };
});

/**
 * Counts the requests that the service admits in a minute. If other requests were counted in the same minute, or if it
 * ends too soon for further requests, counts again in the next minute.
 */
async function countMinute(session: Session, credential: Credential, perMinute: number) {
  for (let tries = 1; ; tries++) {
    const startedAtMs = session.timeMs(credential);
    let admitted = 0;
    /** The response to the first request over the limit. Its status is not 429 if the service admitted the request. */
    let overLimit = await send(session, credential);
    if (overLimit.status === 401) {
      session.stop(`The service does not accept the ${credential} key.`);
    }
    // If a minute ends during the count, the service admits up to twice as many requests.
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

/** Returns the response to the first request over the limit. */
export async function overLimitIn(session: Session): Promise<ApiResponse> {
  return (await useMinute(session)).overLimit;
}

/** Returns the first 429. If the service did not send one, the current statement is not checkable. */
export async function refusal(session: Session): Promise<ApiResponse> {
  const overLimit = await overLimitIn(session);
  needStatement(overLimit.status === 429, 'limits.exceeded');
  return overLimit;
}

/** Sends a refused request again after Retry-After. It waits only once per run. */
export const retry = shared(async (session) => {
  const refused = await refusal(session);
  needStatement(retryAfter(refused) !== undefined, 'errors.429.retryAfter');
  const secondsLeft = Math.ceil((endMsOf(refused) - session.timeMs('free')) / 1000);
  if (secondsLeft > 0) await session.wait(secondsLeft, 'free');
  return { refused, retried: await session.sendNow(refused.request) };
});

/** Uses up a day of the Free plan, like a client that obeys each Retry-After. */
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
 * The number of requests to send after a 429 before giving up. Before a service bans a key, it may tolerate many
 * requests, because they may have been in flight.
 */
const MAX_SENT = 400;
/** A service may also tolerate requests that were sent before a client could have seen the 429. */
const LATER_SECONDS = 2;
/** Requests take time, and the clock of the service may differ from the clock of this machine. */
const TOLERANCE_MS = 5_000;

/** Keeps sending requests after a 429, and finds out if the service bans the key, and for how long. */
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

/** Returns how many seconds to wait after a refusal. Without Retry-After, this is a whole minute. */
function waitAfter(response: ApiResponse): number {
  return retryAfter(response) ?? 60;
}

/** Returns when the time in Retry-After ends. Without the header, this is a day later, because every ban must end. */
function endMsOf(response: ApiResponse): number {
  const seconds = retryAfter(response);
  return response.receivedAtMs + (seconds === undefined ? DAY_MS : seconds * 1000);
}

/**
 * Uses up a minute of a plan. Using up a day would take too many requests, so the limit of the day is read from a 429:
 * on staging, a key followed by `~rate_limit_day` gets the response of a used-up day.
 */
export async function usePlan(session: Session, plan: KeyName, limits: Limits) {
  await startDay(session, plan);
  const request = { ...CHEAP, credential: plan, failure: '~rate_limit_day' };
  const fullDay = await session.sendNow(request);
  need(fullDay.status === 429, `The ${plan} key followed by ~rate_limit_day does not return 429.`);
  return { ...limits, fullDay, minute: await countMinute(session, plan, limits.perMinute) };
}

/** Moves the test clock of a key to the start of a new day. */
async function startDay(session: Session, key: KeyName): Promise<void> {
  session.requireClocks();
  session.requireKey(key);
  await session.startClock(key);
}

function send(session: Session, credential: Credential): Promise<ApiResponse> {
  return session.sendNow({ ...CHEAP, credential });
}
