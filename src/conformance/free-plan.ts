import { NotCheckable } from './check-error.ts';
import { retryAfterSeconds, wholeNumber } from './headers.ts';
import { createPetRequest, getPetRequest, listPetsRequest } from './requests.ts';
import { type ApiRequest, isSuccess, type RoundTrip } from './round-trip.ts';
import { MAX_WAIT_SECONDS, type Session } from './session.ts';

export const FREE_PER_MINUTE = 60;
export const FREE_PER_DAY = 1_000;
const MINUTE_MS = 60_000;
const MAX_TRIES = 3;
/** Enough for a window that ends once during the count. */
const MAX_REQUESTS = 2 * FREE_PER_MINUTE + 1;

interface MinuteCount {
  /** Requests admitted within one minute. */
  readonly admitted: number;
  /** The first request over the limit. Its status is not 429 if the service admitted it. */
  readonly overLimit: RoundTrip;
  /** The first 429, if there was one. */
  readonly refused: RoundTrip | undefined;
}

interface ExhaustedMinute extends MinuteCount {
  /** The other operations, called right after the first 429. */
  readonly others: readonly RoundTrip[];
}

/** Uses up one minute of the Free plan. All checks of limits share it. */
export function exhaustFreeMinute(session: Session): Promise<ExhaustedMinute> {
  return session.cached('a minute of the Free plan', () => exhaust(session));
}

/** The first 429 of that minute. */
export async function firstRefusal(session: Session): Promise<RoundTrip> {
  const { refused } = await exhaustFreeMinute(session);
  if (refused !== undefined) return refused;
  throw new NotCheckable('No request returned 429: see limits.exceeded.');
}

async function exhaust(session: Session): Promise<ExhaustedMinute> {
  requireFreeKey(session);
  if (session.hasClocks) await session.startClocks('free');
  let admitted = 0;
  for (let tries = 1; ; tries++) {
    const count = await countAdmitted(session);
    const { refused } = count;
    // The largest count stands: a later one can start in a window that is partly used.
    admitted = Math.max(admitted, count.admitted);
    if (refused === undefined) return { ...count, admitted, others: [] };
    if (admitted < FREE_PER_MINUTE && tries < MAX_TRIES) {
      await waitForFullMinute(session, refused);
      continue;
    }
    const others = [
      await session.sendWithoutRetry(free(createPetRequest())),
      await session.sendWithoutRetry(free(getPetRequest('1'))),
    ];
    const hasReset = others.some((other) => isInAnotherWindow(other, refused));
    if (!hasReset || tries === MAX_TRIES) return { ...count, admitted, others };
  }
}

/**
 * Counts the requests that one minute admits. If the window resets meanwhile, the remaining number
 * rises and the count restarts. Without that header, requests older than a minute do not count.
 */
async function countAdmitted(session: Session): Promise<MinuteCount> {
  let admittedAtMs: number[] = [];
  let previous = -1;
  let usualStatus: number | undefined;
  let overLimit: RoundTrip | undefined;
  for (let sent = 1; sent <= MAX_REQUESTS; sent++) {
    const roundTrip = await sendFree(session);
    const { response, receivedAtMs } = roundTrip;
    const { status } = response;
    if (status === 401) session.stop('The service does not accept the key of --key-free.');
    // A service whose listPets always fails still has to count.
    usualStatus ??= status;
    if (status === 429 || status !== usualStatus) {
      overLimit ??= roundTrip;
      const refused = status === 429 ? roundTrip : undefined;
      return { admitted: admittedAtMs.length, overLimit, refused };
    }
    const remaining = wholeNumber(response, 'x-ratelimit-remaining') ?? previous;
    const hasReset = remaining > previous;
    const inThisMinute = admittedAtMs.filter((ms) => !hasReset && ms > receivedAtMs - MINUTE_MS);
    admittedAtMs = [...inThisMinute, receivedAtMs];
    previous = remaining;
    if (admittedAtMs.length > FREE_PER_MINUTE) overLimit ??= roundTrip;
  }
  if (overLimit !== undefined && isSuccess(overLimit)) {
    return { admitted: admittedAtMs.length, overLimit, refused: undefined };
  }
  throw new NotCheckable(
    overLimit === undefined
      ? 'The service is too slow to use up a minute of the Free plan.'
      : 'Every request of the Free plan key fails, and such requests do not have to count.',
  );
}

/** A low count can mean that the key was in use, so the next count gets a full minute. */
async function waitForFullMinute(
  session: Session,
  { response, receivedAtMs }: RoundTrip,
): Promise<void> {
  const seconds = retryAfterSeconds(response, receivedAtMs) ?? 60;
  if (seconds > MAX_WAIT_SECONDS && !session.hasClocks) {
    throw new NotCheckable('The Free plan key has used up its day.');
  }
  if (!session.options.mayWait && !session.hasClocks) {
    throw new NotCheckable('The Free plan key was in use, and --no-wait was given.');
  }
  await session.wait(seconds, 'free');
}

function requireFreeKey({ options: { freeKey } }: Session): void {
  if (freeKey !== undefined) return;
  throw new NotCheckable('This check needs a key on the Free plan: pass --key-free.');
}

function isInAnotherWindow({ response }: RoundTrip, refused: RoundTrip): boolean {
  const reset = 'x-ratelimit-reset';
  return (
    response.status !== 429 && response.headers.get(reset) !== refused.response.headers.get(reset)
  );
}

/** A request that costs the service little. */
export function sendFree(session: Session): Promise<RoundTrip> {
  return session.sendWithoutRetry(free(listPetsRequest('?limit=1')));
}

function free(request: ApiRequest): ApiRequest {
  return { ...request, credential: 'free' };
}
