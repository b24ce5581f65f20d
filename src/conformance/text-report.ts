import type { CheckResult, FailedOutcome, Report } from './report.ts';

const MARKS = {
  passed: '✓ passed       ',
  failed: '✗ failed       ',
  notCheckable: '– not checkable',
} as const;
const INDENT = ' '.repeat(6);

/** The report as lines of text, section by section. */
export function reportLines(report: Report): string[] {
  const { url, stopped, results, passed, failed, notCheckable, requests } = report;
  const sections = Map.groupBy(results, ({ section }) => section);
  return [
    `The API at ${url}`,
    ...[...sections].flatMap(([title, checked]) => ['', title, ...checked.flatMap(resultLines)]),
    '',
    'The pets named conformance-check stay in the store: the API cannot remove them.',
    ...(stopped === undefined ? [] : [`The run stopped early. ${stopped}`]),
    `${passed} passed, ${failed} failed, ${notCheckable} not checkable, ${requests} requests`,
  ];
}

function resultLines(result: CheckResult): string[] {
  const line = `  ${MARKS[result.outcome]}  ${result.statement}  [${result.id}]`;
  return [line, ...detailLines(result).map((detail) => `${INDENT}${detail}`)];
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
