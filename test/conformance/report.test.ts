import { expect, test } from 'bun:test';
import { type Report, reportLines } from '../../src/conformance/run.ts';

const REPORT: Report = {
  url: 'https://pets.example/v1',
  startedAt: '2026-11-15T12:00:00.000Z',
  passed: 1,
  failed: 1,
  notCheckable: 1,
  requests: 7,
  stopped: undefined,
  results: [
    { id: 'one.a', section: 'One', statement: 'It holds', outcome: 'passed' },
    {
      id: 'one.b',
      section: 'One',
      statement: 'It does not hold',
      outcome: 'failed',
      expected: 'status 404',
      got: '200',
      request: "curl -i 'https://pets.example/v1/pets'",
    },
    {
      id: 'two.a',
      section: 'Two',
      statement: 'It may hold',
      outcome: 'notCheckable',
      reason: 'Not visible.',
    },
  ],
};

test('the report is grouped by section and ends with what failed and the verdict', () => {
  const lines = reportLines(REPORT);
  expect(lines.slice(0, 6)).toEqual([
    'The API at https://pets.example/v1',
    '',
    'One',
    '  ✓ It holds  [one.a]',
    '  ✗ It does not hold  [one.b]',
    '      expected: status 404',
  ]);
  expect(lines).toContain('      reason:   Not visible.');
  expect(lines.slice(-6)).toEqual([
    'Failed statements',
    '  ✗ It does not hold  [one.b]',
    '',
    '✗ The deployment violates 1 of the 3 statements.',
    '  The conformance-check pets stay in the store.',
    '  1 passed, 1 failed, 1 not checkable, 7 requests',
  ]);
});

test.each([
  [0, undefined, '✓ The deployment keeps all 1 statements that were checked.'],
  [0, 'The service is gone.', '– No verdict.'],
  [2, 'The service is gone.', '✗ The deployment violates 2 of the 3 statements.'],
])('the verdict after %d failures, stopped by %p', (failed, stopped, verdict) => {
  const lines = reportLines({ ...REPORT, failed, stopped });
  const reason = stopped === undefined ? [] : [`  The run stopped early. ${stopped}`];
  expect(lines.slice(-3 - reason.length, -2)).toEqual([verdict, ...reason]);
});
