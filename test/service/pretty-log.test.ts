import { expect, test } from 'bun:test';
import { stripVTControlCharacters } from 'node:util';
import { prettyLog } from '../../src/service/log.ts';

const TIME = '2026-11-16T02:17:36.123Z';

function pretty(fields: object): string {
  return stripVTControlCharacters(
    prettyLog(JSON.stringify({ level: 'info', time: TIME, ...fields })),
  );
}

test('a request is one line that begins with the request and its status', () => {
  const line = { method: 'GET', path: '/v1/pets', status: 200, durationMs: 0.4, account: 'a shop' };
  expect(pretty({ ...line, msg: 'request' })).toBe(
    `${TIME} INFO  GET /v1/pets 200 0.4 ms account="a shop"\n`,
  );
});

test('an error shows its stack, indented', () => {
  const err = { type: 'Error', message: 'broken', stack: 'Error: broken\n    at x.ts:1' };
  expect(pretty({ level: 'error', err, status: 500, msg: 'fault' })).toBe(
    `${TIME} ERROR fault status=500\n    Error: broken\n        at x.ts:1\n`,
  );
});

test('an error that is only a text is shown', () => {
  expect(pretty({ level: 'error', err: 'more than 5 connections', msg: 'closed' })).toBe(
    `${TIME} ERROR closed\n    "more than 5 connections"\n`,
  );
});

test('text from strangers can neither control the terminal nor begin a line', () => {
  const hostile = '\u001b[2J\u009b2J\u202e\n\u2028';
  const shown = prettyLog(
    JSON.stringify({
      ...{ level: 'info', time: TIME, msg: 'request', method: 'GET', path: hostile },
      ...{ userAgent: hostile, err: { stack: `${hostile}x` } },
    }),
  );
  expect(stripVTControlCharacters(shown)).not.toMatch(/[^\P{C}\n]|\u2028/u);
  expect(shown.split('\n').filter((line) => line !== '' && !line.startsWith('    '))).toHaveLength(
    1,
  );
});
