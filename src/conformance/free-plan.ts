import { creation, listing, retrieval } from './animals.ts';
import type { Exchange } from './exchange.ts';
import { retryAfterSeconds, wholeNumber } from './headers.ts';
import { MAX_WAIT_SECONDS, type Session } from './session.ts';
import { NotCheckable } from './verdict.ts';

export const FREE_PER_MINUTE = 60;
export const FREE_PER_DAY = 1_000;
const MINUTE_MS = 60_000;
const MAX_TRIES = 3;
/** Enough for a minute that turns once while its requests are counted. */
const MAX_REQUESTS = 2 * FREE_PER_MINUTE + 1;

interface Count {
  /** How many requests of one minute were admitted. */
  readonly admitted: number;
  /** The request that was refused or, where none was, the first that should have been. */
  readonly beyond: Exchange;
}

interface UsedUp extends Count {
  /** The other operations, asked right after the refusal. */
  readonly others: readonly Exchange[];
}

/** Uses up a minute of the Free plan; all checks on limits look at this one attempt. */
export function useUpFreeMinute(session: Session): Promise<UsedUp> {
  return session.shared('a minute of the Free plan', () => useUp(session));
}

/** The answer to the first request beyond the limit. */
export async function refusal(session: Session): Promise<Exchange> {
  const { beyond } = await useUpFreeMinute(session);
  if (beyond.answer.status === 429) return beyond;
  throw new NotCheckable('No request was answered 429: see limits.exceeded.');
}

async function useUp(session: Session): Promise<UsedUp> {
  if (session.options.freeKey === undefined) {
    throw new NotCheckable('It takes a key of the Free plan: give one with --key-free.');
  }
  for (let tries = 1; ; tries++) {
    const { admitted, beyond } = await countAdmitted(session);
    if (beyond.answer.status !== 429) return { admitted, beyond, others: [] };
    if (admitted < FREE_PER_MINUTE && tries < MAX_TRIES) {
      await waitForWholeMinute(session, beyond);
      continue;
    }
    const others = [
      await session.attempt(free(creation())),
      await session.attempt(free(retrieval('1'))),
    ];
    const hasTurned = others.some((other) => isOfAnotherMinute(other, beyond));
    if (!hasTurned || tries === MAX_TRIES) return { admitted, beyond, others };
  }
}

/**
 * Counts what one minute admits. The minute may turn meanwhile, which makes more requests remain:
 * then the count begins again. Without such headers, what is a minute old no longer counts.
 */
async function countAdmitted(session: Session): Promise<Count> {
  let admittedMs: number[] = [];
  let previous = -1;
  for (let sent = 1; sent <= MAX_REQUESTS; sent++) {
    const beyond = await session.attempt(free(listing('?limit=1')));
    const { answer, atMs } = beyond;
    if (answer.status === 401) session.stop('The service refuses the key of --key-free.');
    if (answer.status !== 200) return { admitted: admittedMs.length, beyond };
    const remaining = wholeNumber(answer, 'x-ratelimit-remaining') ?? previous;
    const isNewMinute = remaining > previous;
    const ofThisMinute = admittedMs.filter((ms) => !isNewMinute && ms > atMs - MINUTE_MS);
    admittedMs = [...ofThisMinute, atMs];
    previous = remaining;
    if (admittedMs.length > FREE_PER_MINUTE) return { admitted: admittedMs.length, beyond };
  }
  throw new NotCheckable('The service answers too slowly to use up a minute of the Free plan.');
}

/** Few may have been admitted because the key was in use: a minute of our own tells. */
async function waitForWholeMinute(session: Session, { answer, atMs }: Exchange): Promise<void> {
  const seconds = retryAfterSeconds(answer, atMs) ?? 60;
  if (seconds > MAX_WAIT_SECONDS) {
    throw new NotCheckable('The key of the Free plan has used up its day.');
  }
  if (!session.options.mayWait) {
    throw new NotCheckable('The key of the Free plan was in use, and --no-wait was given.');
  }
  await session.wait(seconds);
}

function isOfAnotherMinute({ answer }: Exchange, beyond: Exchange): boolean {
  const reset = 'x-ratelimit-reset';
  return answer.status !== 429 && answer.headers.get(reset) !== beyond.answer.headers.get(reset);
}

function free<T>(request: T): T & { credential: 'free' } {
  return { ...request, credential: 'free' };
}
