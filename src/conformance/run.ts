import { listing } from './animals.ts';
import { shorten, showEvidence } from './evidence.ts';
import { useUpFreeMinute } from './free-plan.ts';
import { countOutcomes, type Outcome, type Report, type Result } from './outcome.ts';
import { SECTIONS } from './sections.ts';
import { Session, type SessionOptions } from './session.ts';
import { CannotRun, Failed, NotCheckable } from './verdict.ts';

export const CHECK_COUNT = SECTIONS.reduce((sum, { checks }) => sum + checks.length, 0);

/** Checks a deployment. Throws `CannotRun` when it cannot be reached, or refuses a key. */
export async function runConformance(
  options: SessionOptions,
  onChecked: () => void = () => {},
): Promise<Report> {
  const session = new Session(options);
  const startedMs = session.nowMs;
  await greet(session);
  const results: Result[] = [];
  for (const { title, checks } of SECTIONS) {
    for (const { id, sentence, check } of checks) {
      const checkedMs = session.nowMs;
      const outcome = await judge(session, check);
      const milliseconds = Math.max(0, session.nowMs - checkedMs);
      results.push({ id, section: title, sentence, milliseconds, ...outcome });
      onChecked();
    }
  }
  return {
    url: options.baseUrl,
    startedAt: new Date(startedMs).toISOString(),
    ...countOutcomes(results),
    requests: session.requestCount,
    ...(session.stopped !== undefined && { stopped: session.stopped }),
    results,
  };
}

/** Stops at what would fail every check alike, so that the person gets one line to mend it by. */
async function greet(session: Session): Promise<void> {
  const { baseUrl, key, freeKey } = session.options;
  if (key === freeKey) {
    throw new CannotRun('The key of the Free plan must be another one, of another account.');
  }
  const { status, headers } = await firstAnswer(session);
  if (status === 401 || status === 403) {
    throw new CannotRun(`The service refuses the key, with status ${status}.`);
  }
  if (status === 404) throw new CannotRun(`Nothing is at ${baseUrl}/pets. Check the address.`);
  if (status >= 300 && status <= 399) {
    const target = shorten(session.redact(headers.get('location') ?? 'nowhere'));
    throw new CannotRun(`${baseUrl} sends on to ${target}. Give that address.`);
  }
  // Right now, so that the time until the next minute passes during the other checks.
  if (freeKey !== undefined) await judge(session, useUpFreeMinute);
  if (session.stopped !== undefined) throw new CannotRun(session.stopped);
}

async function firstAnswer(session: Session) {
  try {
    return (await session.ask(listing('?limit=1'))).answer;
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    throw new CannotRun(`${session.options.baseUrl} cannot be reached: ${error.came}.`);
  }
}

/** Runs a check, or what comes before some, to its outcome. */
async function judge(
  session: Session,
  check: (session: Session) => Promise<unknown>,
): Promise<Outcome> {
  try {
    await check(session);
    return { outcome: 'passed' };
  } catch (error) {
    if (error instanceof NotCheckable || error instanceof CannotRun) {
      return { outcome: 'notCheckable', reason: shorten(session.redact(error.message)) };
    }
    if (!(error instanceof Failed)) throw error;
    const { expected, came, evidence } = error;
    const { redact, options } = session;
    return {
      outcome: 'failed',
      expected: redact(expected),
      came: shorten(redact(came)),
      ...(evidence !== undefined && showEvidence(options.baseUrl, evidence, redact)),
    };
  }
}
