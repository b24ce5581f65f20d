import { detailLines } from './report.ts';
import type { Report, Result } from './run.ts';

/** What XML 1.0 can carry in no way, not even escaped; half a surrogate pair is among it. */
const UNWRITABLE = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

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
export function junitXml({ url, results }: Report): string {
  const sections = Map.groupBy(results, ({ section }) => section);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xmlText(`The interface at ${url}`)}"${counts(results)}>`,
    ...[...sections].flatMap(([title, checked]) => [
      `  <testsuite name="${xmlText(title)}"${counts(checked)}>`,
      ...checked.map(testCase),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

function counts(results: readonly Result[]): string {
  const count = (outcome: Result['outcome']) =>
    results.filter((result) => result.outcome === outcome).length;
  const { length } = results;
  return ` tests="${length}" failures="${count('failed')}" skipped="${count('notCheckable')}"`;
}

function testCase(result: Result): string {
  const open = `    <testcase classname="${xmlText(result.id)}" name="${xmlText(result.sentence)}"`;
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
