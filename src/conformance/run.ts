import { listing } from './animals.ts';
import { redactor, type ShownEvidence, shorten, showEvidence } from './evidence.ts';
import { useUpFreeMinute } from './free-plan.ts';
import { SECTIONS } from './sections.ts';
import { Session, type SessionOptions } from './session.ts';
import { CannotRun, Failed, NotCheckable } from './verdict.ts';

interface Passed {
  readonly outcome: 'passed';
}

interface Broken extends Partial<ShownEvidence> {
  readonly outcome: 'failed';
  readonly expected: string;
  readonly came: string;
}

interface Skipped {
  readonly outcome: 'notCheckable';
  readonly reason: string;
}

export type Verdict = Passed | Broken | Skipped;

export type Result = {
  readonly id: string;
  readonly section: string;
  readonly sentence: string;
} & Verdict;

export interface Report {
  readonly url: string;
  readonly passed: number;
  readonly failed: number;
  readonly notCheckable: number;
  readonly requests: number;
  readonly results: readonly Result[];
}

export const CHECK_COUNT = SECTIONS.reduce((sum, { checks }) => sum + checks.length, 0);

/** Checks a deployment. Throws `CannotRun` when it cannot be reached, or refuses the key. */
export async function runConformance(
  options: SessionOptions,
  onChecked: () => void = () => {},
): Promise<Report> {
  const session = new Session(options);
  await greet(session);
  const results: Result[] = [];
  for (const { title, checks } of SECTIONS) {
    for (const { id, sentence, check } of checks) {
      results.push({ id, section: title, sentence, ...(await judge(session, check)) });
      onChecked();
    }
  }
  const count = (outcome: Result['outcome']) =>
    results.filter((result) => result.outcome === outcome).length;
  return {
    url: options.baseUrl,
    passed: count('passed'),
    failed: count('failed'),
    notCheckable: count('notCheckable'),
    requests: session.requestCount,
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
    throw new CannotRun(`${baseUrl} sends on to ${headers.get('location')}. Give that address.`);
  }
  // Right now, so that the time until the next minute passes during the other checks.
  if (freeKey !== undefined) await judge(session, useUpFreeMinute);
}

async function firstAnswer(session: Session) {
  try {
    return (await session.ask(listing('?limit=1'))).answer;
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    throw new CannotRun(`${session.options.baseUrl} cannot be reached: ${error.came}.`);
  }
}

/** Runs a check, or what comes before some, to its verdict. */
async function judge(
  session: Session,
  check: (session: Session) => Promise<unknown>,
): Promise<Verdict> {
  const redact = redactor(session.secrets);
  try {
    await check(session);
    return { outcome: 'passed' };
  } catch (error) {
    if (error instanceof NotCheckable) {
      return { outcome: 'notCheckable', reason: shorten(redact(error.message)) };
    }
    if (!(error instanceof Failed)) throw error;
    const { expected, came, evidence } = error;
    return {
      outcome: 'failed',
      expected: redact(expected),
      came: shorten(redact(came)),
      ...(evidence !== undefined && showEvidence(session.options.baseUrl, evidence, redact)),
    };
  }
}
