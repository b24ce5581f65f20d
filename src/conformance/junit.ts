import { type CheckResult, countOutcomes, type Report } from './report.ts';
import { detailLines } from './text-report.ts';

/** Characters that XML 1.0 forbids, such as lone surrogates, or discourages. */
const NOT_XML = /[^\t\n\r\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** The report as JUnit XML for CI systems. Checks that are not checkable count as skipped. */
export function junitXml({ url, startedAt, results }: Report): string {
  const sections = Map.groupBy(results, ({ section }) => section);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xmlText(`The API at ${url}`)}"${totals(results, startedAt)}>`,
    ...[...sections].flatMap(([title, checked]) => [
      `  <testsuite name="${xmlText(title)}"${totals(checked, startedAt)}>`,
      ...checked.map(testCase),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

function totals(results: readonly CheckResult[], startedAt: string): string {
  const { failed, notCheckable } = countOutcomes(results);
  const milliseconds = results.reduce((sum, result) => sum + result.milliseconds, 0);
  return (
    ` tests="${results.length}" failures="${failed}" skipped="${notCheckable}"` +
    `${time(milliseconds)} timestamp="${startedAt}"`
  );
}

function time(milliseconds: number): string {
  return ` time="${(milliseconds / 1000).toFixed(3)}"`;
}

function testCase(result: CheckResult): string {
  const name = `classname="${xmlText(result.id)}" name="${xmlText(result.statement)}"`;
  const open = `    <testcase ${name}${time(result.milliseconds)}`;
  switch (result.outcome) {
    case 'passed':
      return `${open}/>`;
    case 'notCheckable':
      return `${open}><skipped message="${xmlText(result.reason)}"/></testcase>`;
    case 'failed': {
      const message = xmlText(`expected ${result.expected}, got ${result.got}`);
      const details = xmlText(detailLines(result).join('\n'));
      return `${open}><failure message="${message}">${details}</failure></testcase>`;
    }
  }
}

function xmlText(text: string): string {
  return text
    .replace(NOT_XML, '\ufffd')
    .replace(/[&<>"\t\n\r]/g, (character) => ESCAPES[character] ?? character);
}
