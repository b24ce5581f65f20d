import type { Report, Result } from './run.ts';

const MARKS = {
  passed: '✓ passed       ',
  failed: '✗ failed       ',
  notCheckable: '– not checkable',
} as const;
const INDENT = ' '.repeat(6);

/** The report as lines for people, section by section. */
export function reportLines({ url, results, ...counts }: Report): string[] {
  const sections = Map.groupBy(results, ({ section }) => section);
  return [
    `The interface at ${url}`,
    ...[...sections].flatMap(([title, checked]) => ['', title, ...checked.flatMap(resultLines)]),
    '',
    'The animals named conformance-check stay: the interface has no way to remove them.',
    summary(counts),
  ].map(printable);
}

function summary(counts: Omit<Report, 'url' | 'results'>): string {
  const { passed, failed, notCheckable, requests } = counts;
  return `${passed} passed, ${failed} failed, ${notCheckable} not checkable, ${requests} requests`;
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

/** A stranger's answer must not steer the terminal that shows it. */
function printable(line: string): string {
  return line.replace(/\p{Cc}/gu, (control) => JSON.stringify(control).slice(1, -1));
}
