import type { Report, Result } from './outcome.ts';

const MARKS = {
  passed: '✓ passed       ',
  failed: '✗ failed       ',
  notCheckable: '– not checkable',
} as const;
const INDENT = ' '.repeat(6);

/** The report as lines for people, section by section. */
export function reportLines(report: Report): string[] {
  const { url, stopped, results, passed, failed, notCheckable, requests } = report;
  const sections = Map.groupBy(results, ({ section }) => section);
  return [
    `The interface at ${url}`,
    ...[...sections].flatMap(([title, checked]) => ['', title, ...checked.flatMap(resultLines)]),
    '',
    'The animals named conformance-check stay: the interface has no way to remove them.',
    ...(stopped === undefined ? [] : [`It was not checked to the end. ${stopped}`]),
    `${passed} passed, ${failed} failed, ${notCheckable} not checkable, ${requests} requests`,
  ];
}

function resultLines(result: Result): string[] {
  const line = `  ${MARKS[result.outcome]}  ${result.sentence}  [${result.id}]`;
  return [line, ...detailLines(result).map((detail) => `${INDENT}${detail}`)];
}

/** Why a sentence failed or could not be judged. */
export function detailLines(result: Result): string[] {
  if (result.outcome === 'passed') return [];
  if (result.outcome === 'notCheckable') return [result.reason];
  const { expected, came, request, answer } = result;
  return [
    `expected: ${expected}`,
    `came:     ${came}`,
    ...(request === undefined ? [] : [`request:  ${request}`]),
    ...(answer === undefined ? [] : [`answer:   ${answer.status}`, ...answerLines(answer)]),
  ];
}

function answerLines({ headers, body }: NonNullable<(Result & { outcome: 'failed' })['answer']>) {
  const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [...headerLines, ...body.split('\n')].map((line) => `${' '.repeat(10)}${line}`);
}
