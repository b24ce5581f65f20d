import { CannotRun, CheckFailed, NotCheckable } from './check-error.ts';
import { formatEvidence, truncate } from './evidence.ts';
import { exhaustFreeMinute } from './free-plan.ts';
import { isStaging } from './headers.ts';
import { type CheckOutcome, type CheckResult, countOutcomes, type Report } from './report.ts';
import { listPetsRequest } from './requests.ts';
import type { ApiResponse } from './round-trip.ts';
import { SECTIONS } from './sections.ts';
import { Session, type SessionOptions } from './session.ts';

export const CHECK_COUNT = SECTIONS.reduce((sum, { checks }) => sum + checks.length, 0);

/** Checks a deployment. Throws `CannotRun` if it is unreachable or refuses a key. */
export async function runConformance(
  options: SessionOptions,
  onChecked: () => void = () => {},
): Promise<Report> {
  const session = new Session(options);
  try {
    return await checkAll(session, onChecked);
  } finally {
    await session.closeClocks();
  }
}

async function checkAll(session: Session, onChecked: () => void): Promise<Report> {
  await preflight(session);
  const results: CheckResult[] = [];
  for (const { title, checks } of SECTIONS) {
    for (const { id, statement, run } of checks) {
      const checkedAtMs = session.nowMs;
      const outcome = await outcomeOf(session, run);
      const milliseconds = Math.max(0, session.nowMs - checkedAtMs);
      results.push({ id, section: title, statement, milliseconds, ...outcome });
      onChecked();
    }
  }
  return {
    url: session.options.baseUrl,
    startedAt: new Date(session.startedAtMs).toISOString(),
    ...countOutcomes(results),
    requests: session.requestCount,
    ...(session.stopped !== undefined && { stopped: session.stopped }),
    results,
  };
}

/** Finds problems that would fail every check, so that the user gets one line instead. */
async function preflight(session: Session): Promise<void> {
  const { baseUrl, key, freeKey } = session.options;
  if (key === freeKey) {
    throw new CannotRun('The two keys must differ: the Free plan key needs another account.');
  }
  const { status, headers } = await openAndRespond(session);
  if (status === 401 || status === 403) {
    throw new CannotRun(`The service does not accept the key (status ${status}).`);
  }
  if (status === 404) throw new CannotRun(`${baseUrl}/pets does not exist. Check the address.`);
  if (status >= 300 && status <= 399) {
    const target = truncate(session.redact(headers.get('location') ?? 'nowhere'));
    throw new CannotRun(`${baseUrl} redirects to ${target}. Use that address.`);
  }
  // First, so that the minute resets while the other checks run.
  if (freeKey !== undefined) await outcomeOf(session, exhaustFreeMinute);
  if (session.stopped !== undefined) throw new CannotRun(session.stopped);
}

/** The first response that counts. On staging, clocks that others moved are put back before it. */
async function openAndRespond(session: Session): Promise<ApiResponse> {
  const response = await firstResponse(session);
  if (!isStaging(response)) return response;
  await session.openClocks();
  session.roundTrips.length = 0;
  return await firstResponse(session);
}

async function firstResponse(session: Session): Promise<ApiResponse> {
  try {
    return (await session.send(listPetsRequest('?limit=1'))).response;
  } catch (error) {
    if (!(error instanceof CheckFailed)) throw error;
    throw new CannotRun(`Cannot reach ${session.options.baseUrl}: ${error.got}.`);
  }
}

async function outcomeOf(
  session: Session,
  run: (session: Session) => Promise<unknown>,
): Promise<CheckOutcome> {
  try {
    await run(session);
    return { outcome: 'passed' };
  } catch (error) {
    if (error instanceof NotCheckable || error instanceof CannotRun) {
      return { outcome: 'notCheckable', reason: truncate(session.redact(error.message)) };
    }
    if (!(error instanceof CheckFailed)) throw error;
    const { expected, got, evidence } = error;
    const { redact, options } = session;
    return {
      outcome: 'failed',
      expected: redact(expected),
      got: truncate(redact(got)),
      ...(evidence !== undefined && formatEvidence(options.baseUrl, evidence, redact)),
    };
  }
}
