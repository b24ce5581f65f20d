import { ACCESS, ALL_RESPONSES } from './access.ts';
import { LIMITS } from './limits.ts';
import { OPERATIONS } from './operations.ts';
import { useMinute } from './quota.ts';
import { failureOf, type Outcome, type Report, type Result } from './report.ts';
import { RESOURCES } from './resources.ts';
import { CannotRun, CheckFailed, NotCheckable, Session, type SessionOptions } from './session.ts';
import type { Section } from './statement.ts';

/** The whole contract. Statements on every response come last, when all responses have arrived. */
export const CONTRACT: readonly Section[] = [
  ...RESOURCES,
  ...OPERATIONS,
  ...ACCESS,
  ...LIMITS,
  ALL_RESPONSES,
];

/** Checks a deployment. Throws `CannotRun` if it is unreachable or refuses a key. */
export async function runConformance(options: SessionOptions): Promise<Report> {
  const session = new Session(options);
  try {
    await preflight(session);
    const results: Result[] = [];
    const counts = { passed: 0, failed: 0, notCheckable: 0 };
    for (const { title, statements } of CONTRACT) {
      for (const { id, sentence, check } of statements) {
        const outcome = await outcomeOf(session, check);
        results.push({ id, section: title, statement: sentence, ...outcome });
        counts[outcome.outcome]++;
      }
    }
    return {
      url: options.baseUrl,
      startedAt: new Date(session.startedAtMs).toISOString(),
      ...counts,
      requests: session.requestCount,
      stopped: session.stopped,
      results,
    };
  } finally {
    await session.closeClocks();
  }
}

/** Finds problems that would fail every check, so that the user gets one line instead. */
async function preflight(session: Session): Promise<void> {
  const { baseUrl, keys } = session.options;
  if (keys.key === keys.free) {
    throw new CannotRun('The two keys must differ: the Free plan key needs another account.');
  }
  const { status, headers } = await session.open().catch((error) => {
    if (!(error instanceof CheckFailed)) throw error;
    throw new CannotRun(`Cannot reach ${baseUrl}: ${error.got}.`);
  });
  if (status === 401 || status === 403) {
    throw new CannotRun(`The service does not accept the key (status ${status}).`);
  }
  if (status === 404) throw new CannotRun(`${baseUrl}/pets does not exist. Check the address.`);
  if (status >= 300 && status <= 399) {
    const target = session.show(headers.get('location') ?? 'nowhere');
    throw new CannotRun(`${baseUrl} redirects to ${target}. Use that address.`);
  }
  // First, so that the minute resets while the other checks run.
  if (keys.free !== undefined) await outcomeOf(session, useMinute);
  if (session.stopped !== undefined) throw new CannotRun(session.stopped);
}

async function outcomeOf(
  session: Session,
  check: (session: Session) => Promise<unknown>,
): Promise<Outcome> {
  try {
    await check(session);
    return { outcome: 'passed' };
  } catch (error) {
    if (error instanceof CheckFailed) return failureOf(error, session);
    if (!(error instanceof NotCheckable)) throw error;
    return { outcome: 'notCheckable', reason: error.message };
  }
}
