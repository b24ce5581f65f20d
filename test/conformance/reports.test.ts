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

test('the text report is grouped by section', () => {
  expect(reportLines(REPORT)).toEqual([
    'The API at https://pets.example/v1',
    '',
    'One',
    '  ✓ passed         It holds  [one.a]',
    '  ✗ failed         It does not hold  [one.b]',
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
    '  – not checkable  It may hold  [two.a]',
    '      Not visible.',
    '',
    'The pets named conformance-check stay in the store: the API cannot remove them.',
    '1 passed, 1 failed, 1 not checkable, 7 requests',
  ]);
});

test('the text report ends with the reason if the run stopped early', () => {
  const lines = reportLines({ ...REPORT, stopped: 'The service is gone.' });
  expect(lines.slice(-2)).toEqual([
    'The run stopped early. The service is gone.',
    '1 passed, 1 failed, 1 not checkable, 7 requests',
  ]);
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
