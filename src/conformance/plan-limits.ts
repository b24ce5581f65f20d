import { requireClocks } from './check.ts';
import { CheckFailed, NotCheckable } from './check-error.ts';
import { wholeNumber } from './headers.ts';
import { listPetsRequest } from './requests.ts';
import type { Credential, RoundTrip } from './round-trip.ts';
import type { Limits, Session } from './session.ts';

const MINUTE_MS = 60_000;
/** Enough for the Business plan. */
const MAX_COUNTED = 1_000;
const SENT_AT_ONCE = 50;

/**
 * Counts the requests that a minute admits. A day of these plans takes too many, so its limit is the
 * one in the 429 of a key that simulates a full day.
 */
export async function expectPlan(
  session: Session,
  plan: 'pro' | 'business' | 'enterprise',
  { perMinute, perDay }: Limits,
): Promise<void> {
  requireClocks(session, 'This would use up a day of a key.');
  const dayKey = `${plan}Day` as const;
  const { planKeys } = session.options;
  if (planKeys?.[plan] === undefined || planKeys[dayKey] === undefined) {
    throw new NotCheckable('This check needs two keys on that plan: see --help.');
  }
  if (perMinute > MAX_COUNTED) {
    throw new NotCheckable(`This check counts up to ${MAX_COUNTED} requests a minute.`);
  }
  await session.startClocks(plan, dayKey);
  expectDay(await send(session, dayKey), perDay);
  await expectMinute(session, plan, perMinute);
}

function expectDay(refused: RoundTrip, perDay: number): void {
  if (refused.response.status !== 429) {
    throw new NotCheckable('The second key on that plan does not simulate rate_limit_day.');
  }
  const limit = wholeNumber(refused.response, 'x-ratelimit-limit');
  if (limit === perDay) return;
  throw new CheckFailed(`${perDay} requests a day`, `${limit ?? 'no number'}`, refused);
}

async function expectMinute(session: Session, plan: Credential, perMinute: number): Promise<void> {
  await startMinute(session, plan);
  const startedAtMs = session.timeMs(plan);
  // The first one alone, so that it has the most requests remaining.
  const counted = [await send(session, plan)];
  while (counted.length < perMinute) {
    const count = Math.min(SENT_AT_ONCE, perMinute - counted.length);
    counted.push(...(await Promise.all(Array.from({ length: count }, () => send(session, plan)))));
  }
  const overLimit = await send(session, plan);
  if (session.timeMs(plan) - startedAtMs >= MINUTE_MS) {
    throw new NotCheckable('The service is too slow to use up a minute of that plan.');
  }
  const admitted = counted.filter(({ response }) => response.status !== 429).length;
  const expected = `${perMinute} requests in a minute`;
  if (admitted < perMinute) throw new CheckFailed(expected, `${admitted}`, overLimit);
  if (overLimit.response.status !== 429) throw new CheckFailed(expected, 'more', overLimit);
}

/** Moves to the next reset, so that a whole minute is left. */
async function startMinute(session: Session, plan: Credential): Promise<void> {
  const { response } = await send(session, plan);
  if (response.status === 401) {
    throw new NotCheckable('The service does not accept the first key on that plan.');
  }
  const resetMs = (wholeNumber(response, 'x-ratelimit-reset') ?? 0) * 1000;
  const nowMs = session.timeMs(plan);
  session.moveClock(
    plan,
    resetMs > nowMs ? Math.min(resetMs, nowMs + MINUTE_MS) : nowMs + MINUTE_MS,
  );
}

function send(session: Session, credential: Credential): Promise<RoundTrip> {
  return session.sendWithoutRetry({ ...listPetsRequest('?limit=1'), credential });
}
