import type { CheckResult, FailedOutcome, Report } from './report.ts';

/** What a part of a line means. The terminal decides how that looks. */
export type Style = 'title' | 'passed' | 'failed' | 'notCheckable' | 'faint';

export type Line = readonly (string | { readonly style: Style; readonly text: string })[];

const MARKS = { passed: '✓', failed: '✗', notCheckable: '–' } as const;
const INDENT = ' '.repeat(6);
/** A summary is short: the whole value is in the report above it. */
const MAX_SUMMARY_CHARACTERS = 160;

/** The report, section by section, then what failed, then the verdict. */
export function reportLines(report: Report, width = Number.POSITIVE_INFINITY): Line[] {
  const sections = Map.groupBy(report.results, ({ section }) => section);
  return [
    [{ style: 'title', text: `The API at ${report.url}` }],
    ...[...sections].flatMap(([title, results]) => [
      [],
      [{ style: 'title' as const, text: title }],
      ...results.flatMap((result) => resultLines(result, width)),
    ]),
    ...failureLines(report, width),
    [],
    ['The conformance-check pets stay in the store: the API cannot remove them.'],
    [],
    ...verdictLines(report),
  ];
}

function resultLines(result: CheckResult, width: number): Line[] {
  const isFaint = result.outcome === 'notCheckable';
  return [
    ...statementLines(result, width),
    ...detailLines(result).map((detail): Line => {
      const text = `${INDENT}${detail}`;
      return [isFaint ? { style: 'faint', text } : text];
    }),
  ];
}

/** The id follows the statement, on the next line if the terminal is narrow. */
function statementLines({ id, statement, outcome }: CheckResult, width: number): Line[] {
  const first: Line = ['  ', mark(outcome), ` ${statement}`];
  const name: Line = [{ style: 'faint', text: `[${id}]` }];
  const fits = `  ✓ ${statement}  [${id}]`.length <= width;
  return fits ? [[...first, '  ', ...name]] : [first, ['    ', ...name]];
}

/** Why a check failed or could not run. */
export function detailLines(result: CheckResult): string[] {
  if (result.outcome === 'passed') return [];
  if (result.outcome === 'notCheckable') return [result.reason];
  const { expected, got, request, response } = result;
  return [
    `expected: ${expected}`,
    `got:      ${got}`,
    ...(request === undefined ? [] : [`request:  ${request}`]),
    ...(response === undefined ? [] : [`response: ${response.status}`, ...responseLines(response)]),
  ];
}

function responseLines({ headers, body }: NonNullable<FailedOutcome['response']>): string[] {
  const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [...headerLines, ...body.split('\n')].map((line) => `${' '.repeat(10)}${line}`);
}

/** What failed, in a few lines for each check. */
function failureLines({ results }: Report, width: number): Line[] {
  const failures = results.filter((result) => result.outcome === 'failed');
  if (failures.length === 0) return [];
  return [
    [],
    [{ style: 'title', text: 'What failed' }],
    ...failures.flatMap((failure): Line[] => [
      ...statementLines(failure, width),
      [`${INDENT}expected: ${cut(failure.expected, width)}`],
      [`${INDENT}got:      ${cut(failure.got, width)}`],
    ]),
  ];
}

function verdictLines({ passed, failed, notCheckable, requests, stopped }: Report): Line[] {
  const counts = `${passed} passed, ${failed} failed, ${notCheckable} not checkable, ${requests} requests`;
  const verdict = failed > 0 ? 'failed' : stopped === undefined ? 'passed' : 'notCheckable';
  const text = {
    passed: `The deployment keeps all ${passed} statements ${notCheckable === 0 ? 'of the API contract' : 'that this run could check'}.`,
    failed: `The deployment violates ${failed === 1 ? 'one statement' : `${failed} statements`} of the API contract.`,
    notCheckable: 'There is no verdict.',
  }[verdict];
  return [
    [mark(verdict), ' ', { style: verdict, text }],
    ...(stopped === undefined ? [] : [[`  The run stopped early. ${stopped}`]]),
    [`  ${counts}`],
  ];
}

function mark(outcome: keyof typeof MARKS): Line[number] {
  return { style: outcome, text: MARKS[outcome] };
}

function cut(text: string, width: number): string {
  const [line = ''] = text.split('\n');
  const room = Math.min(
    MAX_SUMMARY_CHARACTERS,
    Math.max(20, width - 'expected: '.length - INDENT.length),
  );
  return line.length <= room ? line : `${line.slice(0, room - 1)}…`;
}
