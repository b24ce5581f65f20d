import { expect, test } from 'bun:test';
import { junitXml } from '../../src/conformance/junit.ts';
import type { Report } from '../../src/conformance/report.ts';
import { reportLines } from '../../src/conformance/text-report.ts';

/** Characters that XML must escape or cannot contain. */
const NASTY = 'a\u001b[31m<b> & "c"\u0000\u009b\ud800 ]]> 🐈';

const REPORT: Report = {
  url: 'https://pets.example/v1',
  startedAt: '2026-11-15T12:00:00.000Z',
  passed: 1,
  failed: 1,
  notCheckable: 1,
  requests: 7,
  results: [
    {
      id: 'one.a',
      section: 'One',
      statement: 'It holds',
      milliseconds: 1_204,
      outcome: 'passed',
    },
    {
      id: 'one.b',
      section: 'One',
      statement: 'It does not hold',
      milliseconds: 30,
      outcome: 'failed',
      expected: 'status 404',
      got: NASTY,
      request: "curl -i 'https://pets.example/v1/pets'",
      response: {
        status: 200,
        headers: { 'Content-Type': 'text/plain' },
        body: `{\n  ${NASTY}\n}`,
      },
    },
    {
      id: 'two.a',
      section: 'Two',
      statement: 'It may hold',
      milliseconds: 0,
      outcome: 'notCheckable',
      reason: 'Not visible.',
    },
  ],
};

/** The report without styles. */
function textOf(report: Report, width?: number): string[] {
  return reportLines(report, width).map((line) =>
    line.map((part) => (typeof part === 'string' ? part : part.text)).join(''),
  );
}

test('the text report is grouped by section and ends with what failed and the verdict', () => {
  expect(textOf(REPORT)).toEqual([
    'The API at https://pets.example/v1',
    '',
    'One',
    '  ✓ It holds  [one.a]',
    '  ✗ It does not hold  [one.b]',
    '      expected: status 404',
    `      got:      ${NASTY}`,
    "      request:  curl -i 'https://pets.example/v1/pets'",
    '      response: 200',
    '                Content-Type: text/plain',
    '                {',
    `                  ${NASTY}`,
    '                }',
    '',
    'Two',
    '  – It may hold  [two.a]',
    '      Not visible.',
    '',
    'What failed',
    '  ✗ It does not hold  [one.b]',
    '      expected: status 404',
    `      got:      ${NASTY}`,
    '',
    'The conformance-check pets stay in the store: the API cannot remove them.',
    '',
    '✗ The deployment violates one statement of the API contract.',
    '  1 passed, 1 failed, 1 not checkable, 7 requests',
  ]);
});

test('a narrow terminal gets ids on their own lines, and a short summary', () => {
  const lines = textOf(REPORT, 24);
  expect(lines).toContain('  ✗ It does not hold');
  expect(lines).toContain('    [one.b]');
  const summary = lines.slice(lines.indexOf('What failed'));
  expect(summary).toContain(`      got:      ${NASTY.slice(0, 19)}…`);
});

test('only what failed is in the color of failures', () => {
  const failed = reportLines(REPORT)
    .flat()
    .filter((part) => typeof part !== 'string' && part.style === 'failed');
  expect(failed.map((part) => (typeof part === 'string' ? part : part.text))).toEqual([
    '✗',
    '✗',
    '✗',
    'The deployment violates one statement of the API contract.',
  ]);
});

test.each([
  [0, undefined, ['✓ The deployment keeps all 1 statements that this run could check.']],
  [0, 'The service is gone.', ['– There is no verdict.']],
  [2, 'The service is gone.', ['✗ The deployment violates 2 statements of the API contract.']],
])('the verdict after %d failures, stopped by %p', (failed, stopped, verdict) => {
  const lines = textOf({ ...REPORT, failed, ...(stopped && { stopped }) });
  const reason = stopped === undefined ? [] : [`  The run stopped early. ${stopped}`];
  const counts = `  1 passed, ${failed} failed, 1 not checkable, 7 requests`;
  expect(lines.slice(-2 - reason.length)).toEqual([...verdict, ...reason, counts]);
});

test('the verdict names the whole contract if every statement was checked', () => {
  const lines = textOf({ ...REPORT, failed: 0, notCheckable: 0 });
  expect(lines).toContain('✓ The deployment keeps all 1 statements of the API contract.');
});

test('JUnit XML escapes special characters and replaces forbidden ones', () => {
  const nasty = 'a\ufffd[31m&lt;b&gt; &amp; &quot;c&quot;\ufffd\ufffd\ufffd ]]&gt; 🐈';
  expect(junitXml(REPORT).split('\n')).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="The API at https://pets.example/v1" tests="3" failures="1" skipped="1" ' +
      'time="1.234" timestamp="2026-11-15T12:00:00.000Z">',
    '  <testsuite name="One" tests="2" failures="1" skipped="0" ' +
      'time="1.234" timestamp="2026-11-15T12:00:00.000Z">',
    '    <testcase classname="one.a" name="It holds" time="1.204"/>',
    '    <testcase classname="one.b" name="It does not hold" time="0.030">' +
      `<failure message="expected status 404, got ${nasty}">` +
      `expected: status 404&#10;got:      ${nasty}&#10;` +
      "request:  curl -i 'https://pets.example/v1/pets'&#10;" +
      'response: 200&#10;          Content-Type: text/plain&#10;' +
      `          {&#10;            ${nasty}&#10;          }</failure></testcase>`,
    '  </testsuite>',
    '  <testsuite name="Two" tests="1" failures="0" skipped="1" ' +
      'time="0.000" timestamp="2026-11-15T12:00:00.000Z">',
    '    <testcase classname="two.a" name="It may hold" time="0.000"><skipped message="Not visible."/></testcase>',
    '  </testsuite>',
    '</testsuites>',
    '',
  ]);
});
