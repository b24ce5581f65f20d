import { expect, test } from 'bun:test';
import { junitXml } from '../../src/conformance/junit.ts';
import type { Report } from '../../src/conformance/outcome.ts';
import { reportLines } from '../../src/conformance/report.ts';

/** With everything that XML could trip over. */
const NASTY = 'a\u001b[31m<b> & "c"\u0000\u009b\ud800 ]]> 🐈';

const REPORT: Report = {
  url: 'https://animals.example/v1',
  startedAt: '2026-11-15T12:00:00.000Z',
  passed: 1,
  failed: 1,
  notCheckable: 1,
  requests: 7,
  results: [
    {
      id: 'one.a',
      section: 'One',
      sentence: 'It is so',
      milliseconds: 1_204,
      outcome: 'passed',
    },
    {
      id: 'one.b',
      section: 'One',
      sentence: 'It is not so',
      milliseconds: 30,
      outcome: 'failed',
      expected: 'status 404',
      came: NASTY,
      request: "curl -i 'https://animals.example/v1/pets'",
      answer: { status: 200, headers: { 'Content-Type': 'text/plain' }, body: `{\n  ${NASTY}\n}` },
    },
    {
      id: 'two.a',
      section: 'Two',
      sentence: 'Who knows',
      milliseconds: 0,
      outcome: 'notCheckable',
      reason: 'Dark.',
    },
  ],
};

test('people read a report by sections', () => {
  expect(reportLines(REPORT)).toEqual([
    'The interface at https://animals.example/v1',
    '',
    'One',
    '  ✓ passed         It is so  [one.a]',
    '  ✗ failed         It is not so  [one.b]',
    '      expected: status 404',
    `      came:     ${NASTY}`,
    "      request:  curl -i 'https://animals.example/v1/pets'",
    '      answer:   200',
    '                Content-Type: text/plain',
    '                {',
    `                  ${NASTY}`,
    '                }',
    '',
    'Two',
    '  – not checkable  Who knows  [two.a]',
    '      Dark.',
    '',
    'The animals named conformance-check stay: the interface has no way to remove them.',
    '1 passed, 1 failed, 1 not checkable, 7 requests',
  ]);
});

test('people read at the end why a run was stopped', () => {
  const lines = reportLines({ ...REPORT, stopped: 'It went away.' });
  expect(lines.slice(-2)).toEqual([
    'It was not checked to the end. It went away.',
    '1 passed, 1 failed, 1 not checkable, 7 requests',
  ]);
});

test('JUnit XML carries what XML can, and marks what it cannot', () => {
  const nasty = 'a\ufffd[31m&lt;b&gt; &amp; &quot;c&quot;\ufffd\ufffd\ufffd ]]&gt; 🐈';
  expect(junitXml(REPORT).split('\n')).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="The interface at https://animals.example/v1" tests="3" failures="1" skipped="1" ' +
      'time="1.234" timestamp="2026-11-15T12:00:00.000Z">',
    '  <testsuite name="One" tests="2" failures="1" skipped="0" ' +
      'time="1.234" timestamp="2026-11-15T12:00:00.000Z">',
    '    <testcase classname="one.a" name="It is so" time="1.204"/>',
    '    <testcase classname="one.b" name="It is not so" time="0.030">' +
      `<failure message="expected status 404, came ${nasty}">` +
      `expected: status 404&#10;came:     ${nasty}&#10;` +
      "request:  curl -i 'https://animals.example/v1/pets'&#10;" +
      'answer:   200&#10;          Content-Type: text/plain&#10;' +
      `          {&#10;            ${nasty}&#10;          }</failure></testcase>`,
    '  </testsuite>',
    '  <testsuite name="Two" tests="1" failures="0" skipped="1" ' +
      'time="0.000" timestamp="2026-11-15T12:00:00.000Z">',
    '    <testcase classname="two.a" name="Who knows" time="0.000"><skipped message="Dark."/></testcase>',
    '  </testsuite>',
    '</testsuites>',
    '',
  ]);
});
