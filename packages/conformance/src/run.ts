import { type ApiRequest, type Credential, variableOf } from './http.ts';
import { LIMITS } from './limits.ts';
import { OPERATIONS } from './operations.ts';
import { useMinute } from './quota.ts';
import { ACCESS, ALL_RESPONSES, RESOURCES } from './service.ts';
import { CannotRun, CheckFailed, NotCheckable, Session, type SessionOptions } from './session.ts';
import type { Statement } from './statement.ts';

interface Outcome {
  readonly outcome: 'passed' | 'failed' | 'notCheckable';
  /** The reason why the statement is not checkable. */
  readonly reason?: string;
  readonly expected?: string;
  readonly got?: string;
  /** A curl command that repeats the request. It reads the keys from the same environment variables. */
  readonly request?: string;
  /** Status, headers and body. */
  readonly response?: string;
}

type Result = Omit<Statement, 'check'> & Outcome;

export interface Report extends Readonly<Record<Outcome['outcome'], number>> {
  readonly url: string;
  /** The time when the run started, in ISO 8601 and UTC. */
  readonly startedAt: string;
  readonly requests: number;
  /** The reason why the run ended early. Undefined if the run was complete. */
  readonly stopped: string | undefined;
  readonly results: readonly Result[];
}

/** All statements, in the order in which they are checked. Statements about all responses come last. */
export const CONTRACT: readonly Statement[] = [
  ...RESOURCES,
  ...Object.values(OPERATIONS).flat(),
  ...ACCESS,
  ...LIMITS,
  ...ALL_RESPONSES,
];

/** Checks a deployment. Throws `CannotRun` if the deployment is unreachable or refuses a key. */
export async function runConformance(options: SessionOptions): Promise<Report> {
  const session = new Session(options);
  const startedAt = new Date(options.now()).toISOString();
  try {
    await preflight(session);
    const results: Result[] = [];
    const counts = { passed: 0, failed: 0, notCheckable: 0 };
    for (const { check, ...statement } of CONTRACT) {
      const outcome = await outcomeOf(session, check);
      results.push({ ...statement, ...outcome });
      counts[outcome.outcome]++;
    }
    return {
      url: options.baseUrl,
      startedAt,
      ...counts,
      requests: session.requestCount,
      stopped: session.stopped,
      results,
    };
  } finally {
    await session.closeClocks();
  }
}

/** Finds problems that would make every check fail, so that the user gets one line instead of a report. */
async function preflight(session: Session): Promise<void> {
  const { baseUrl, keys } = session.options;
  if (keys.key === keys.free) {
    throw new CannotRun('The two keys must differ: the Free plan key needs another account.');
  }
  const { status, headers } = await session.open().catch((error) => {
    if (!(error instanceof CheckFailed)) throw error;
    throw new CannotRun(`Cannot reach ${baseUrl}: ${error.got}.`);
  });
  if (/^(3..|401|403|404)$/.test(`${status}`)) {
    const target = session.show(headers.get('location') ?? '');
    const response = `${status} ${target}`.trimEnd();
    const advice =
      status === 401 ? 'Check the key.' : 'Check the address and the key, or use --exact-url.';
    throw new CannotRun(`${baseUrl}/pets returns ${response}. ${advice}`);
  }
  // The minute is used up before the first check, so that it resets while the other checks run.
  await outcomeOf(session, useMinute);
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

const SHOWN_HEADERS = /^(content-type|deprecation|link|location|retry-after|sunset|x-.*)$/;

/** Describes a failure for the report. The service may echo keys, so keys are removed from its texts. */
function failureOf({ expected, got, evidence }: CheckFailed, session: Session): Outcome {
  const { request, status, headers = [], text = '' } = evidence;
  const shown = [...headers].filter(([name]) => SHOWN_HEADERS.test(name));
  const lines = shown.map(([name, value]) => `${name}: ${session.show(value)}`);
  return {
    outcome: 'failed',
    expected,
    got: session.show(got),
    ...(request && { request: curl(session, request) }),
    ...(status && { response: [status, ...lines, session.show(text)].join('\n') }),
  };
}

/**
 * The Authorization headers, in the syntax of a shell, for the credentials that are not simply a key. The wrong key
 * differs from the key in its last character.
 */
const AUTHORIZATIONS: Partial<Record<Credential, string>> = {
  bare: `$${variableOf('key')}`,
  wrong: `Bearer \${${variableOf('key')}%?}x`,
};

function curl(session: Session, request: ApiRequest): string {
  const { method, path, body, credential = 'key', failure = '', testTime } = request;
  const authorization = AUTHORIZATIONS[credential] ?? `Bearer $${variableOf(credential)}${failure}`;
  const words = ['curl -i', quote(session.show(session.urlOf(path)))];
  if (credential !== 'none') words.push(`-H "Authorization: ${authorization}"`);
  if (testTime !== undefined) words.push(`-H 'X-Test-Time: ${testTime}'`);
  if (method !== undefined) words.push(`-X ${method}`);
  if (body !== undefined) words.push("-H 'Content-Type: application/json' -d", quote(body));
  return words.join(' ');
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

const MARKS = { passed: '✓', failed: '✗', notCheckable: '–' };

/** Writes the report as text. It shows every section, then the failed statements once more, and then the totals. */
export function reportLines(report: Report): string[] {
  const { results, passed, failed, notCheckable, requests, stopped } = report;
  const sections = [...Map.groupBy(results, ({ section }) => section)];
  const failures = results.filter(({ outcome }) => outcome === 'failed');
  return [
    `The API at ${report.url}`,
    ...sections.flatMap(([title, inSection]) => ['', title, ...inSection.flatMap(resultLines)]),
    ...(failed > 0 ? ['', 'Failed statements', ...failures.map(statementLine)] : []),
    '',
    'The conformance-check pets stay in the store.',
    ...(stopped === undefined ? [] : [`The run stopped early. ${stopped}`]),
    `${passed} passed, ${failed} failed, ${notCheckable} not checkable, ${requests} requests`,
  ];
}

function statementLine({ id, statement, outcome }: Result): string {
  return `  ${MARKS[outcome]} ${statement}  [${id}]`;
}

/** Writes the line of a statement, and the lines that say why its check failed or could not be made. */
function resultLines(result: Result): string[] {
  const { reason, expected, got, request, response } = result;
  const lines = [statementLine(result)];
  for (const [name, value] of Object.entries({ reason, expected, got, request, response })) {
    let label = `${name}:`;
    for (const line of value?.split('\n') ?? []) {
      lines.push(`      ${label.padEnd(9)} ${line}`);
      label = '';
    }
  }
  return lines;
}
