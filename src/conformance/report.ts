import type { ApiRequest } from './http.ts';
import type { CheckFailed, Session } from './session.ts';

export interface Outcome {
  readonly outcome: 'passed' | 'failed' | 'notCheckable';
  /** Why it is not checkable. */
  readonly reason?: string;
  readonly expected?: string;
  readonly got?: string;
  /** A curl command that expects the keys in shell variables. */
  readonly request?: string;
  /** Status, headers and body. */
  readonly response?: string;
}

export interface Result extends Outcome {
  readonly id: string;
  readonly section: string;
  readonly statement: string;
}

export interface Report extends Readonly<Record<Outcome['outcome'], number>> {
  readonly url: string;
  /** In ISO 8601, UTC. */
  readonly startedAt: string;
  readonly requests: number;
  /** Why the run ended early, if it did. */
  readonly stopped: string | undefined;
  readonly results: readonly Result[];
}

const SHOWN_HEADERS = /^(content-type|deprecation|link|location|retry-after|sunset|x-.*)$/;

/** The service may echo keys, so they are removed from its text. Requests are shown as they are. */
export function failureOf({ expected, got, evidence }: CheckFailed, session: Session): Outcome {
  const { request, status, headers = [], text = '' } = evidence;
  const shown = [...headers].filter(([name]) => SHOWN_HEADERS.test(name));
  const lines = [`${status}`, ...shown.map((header) => header.join(': ')), text];
  return {
    outcome: 'failed',
    expected,
    got: session.show(got),
    ...(request && { request: curl(session, request) }),
    ...(status && { response: lines.map(session.show).join('\n') }),
  };
}

function curl(session: Session, request: ApiRequest): string {
  const { path, body, credential = 'key', testTime, isLink } = request;
  const name = credential === 'key' ? '$KEY' : `$KEY_${credential.toUpperCase()}`;
  const authorization = credential === 'bare' ? '$KEY' : `Bearer ${name}`;
  const words = ['curl -i', quote(session.urlOf(isLink ? session.show(path) : path))];
  if (credential !== 'none') words.push(`-H "Authorization: ${authorization}"`);
  if (testTime !== undefined) words.push(`-H 'X-Test-Time: ${testTime}'`);
  if (body !== undefined) words.push("-H 'Content-Type: application/json' -d", quote(body));
  return words.join(' ');
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

const MARKS = { passed: '✓', failed: '✗', notCheckable: '–' };

/** The report, section by section, then what failed, then the verdict. */
export function reportLines(report: Report): string[] {
  const { results, passed, failed, notCheckable, requests, stopped } = report;
  const sections = [...Map.groupBy(results, ({ section }) => section)];
  const failures = results.filter(({ outcome }) => outcome === 'failed');
  return [
    `The API at ${report.url}`,
    ...sections.flatMap(([title, inSection]) => ['', title, ...inSection.flatMap(resultLines)]),
    ...(failed > 0 ? ['', 'Failed statements', ...failures.map(statementLine)] : []),
    '',
    verdictOf(report),
    ...(stopped === undefined ? [] : [`  The run stopped early. ${stopped}`]),
    '  The conformance-check pets stay in the store: the API cannot remove them.',
    `  ${passed} passed, ${failed} failed, ${notCheckable} not checkable, ${requests} requests`,
  ];
}

function statementLine({ id, statement, outcome }: Result): string {
  return `  ${MARKS[outcome]} ${statement}  [${id}]`;
}

/** With the reason why a check failed or could not run. */
function resultLines(result: Result): string[] {
  const lines = [statementLine(result)];
  const { reason, expected, got, request, response } = result;
  for (const [name, value] of Object.entries({ reason, expected, got, request, response })) {
    let label = `${name}:`;
    for (const line of value?.split('\n') ?? []) {
      lines.push(`      ${label.padEnd(9)} ${line}`);
      label = '';
    }
  }
  return lines;
}

function verdictOf({ passed, failed, stopped, results }: Report): string {
  if (failed > 0) return `✗ The deployment violates ${failed} of the ${results.length} statements.`;
  if (stopped !== undefined) return '– No verdict.';
  return `✓ The deployment keeps all ${passed} statements that were checked.`;
}
