import { countOutcomes, type Report, type Result } from './outcome.ts';
import { detailLines } from './report.ts';

/** What XML 1.0 cannot carry, like half a surrogate pair, and the controls it advises against. */
const UNWRITABLE = /[^\t\n\r\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** The report as JUnit XML, which most CI systems show; what is not checkable counts as skipped. */
export function junitXml({ url, startedAt, results }: Report): string {
  const sections = Map.groupBy(results, ({ section }) => section);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xmlText(`The interface at ${url}`)}"${totals(results, startedAt)}>`,
    ...[...sections].flatMap(([title, checked]) => [
      `  <testsuite name="${xmlText(title)}"${totals(checked, startedAt)}>`,
      ...checked.map(testCase),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

function totals(results: readonly Result[], startedAt: string): string {
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

function testCase(result: Result): string {
  const name = `classname="${xmlText(result.id)}" name="${xmlText(result.sentence)}"`;
  const open = `    <testcase ${name}${time(result.milliseconds)}`;
  switch (result.outcome) {
    case 'passed':
      return `${open}/>`;
    case 'notCheckable':
      return `${open}><skipped message="${xmlText(result.reason)}"/></testcase>`;
    case 'failed': {
      const message = xmlText(`expected ${result.expected}, came ${result.came}`);
      const details = xmlText(detailLines(result).join('\n'));
      return `${open}><failure message="${message}">${details}</failure></testcase>`;
    }
  }
}

function xmlText(text: string): string {
  return text
    .replace(UNWRITABLE, '\ufffd')
    .replace(/[&<>"\t\n\r]/g, (character) => ESCAPES[character] ?? character);
}
