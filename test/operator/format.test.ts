import { expect, test } from 'bun:test';
import { formatElapsed, formatMeasure } from '../../packages/console/src/format.tsx';

test.each([
  [0.0128, '12.8 µs'],
  [0.4249, '0.42 ms'],
  [12.345, '12.3 ms'],
  [1_234, '1.23 s'],
  [null, '– ms'],
])('the console shows %p milliseconds with up to three digits, as %s', (ms, text) => {
  expect(formatElapsed(ms)).toBe(text);
});

test('a chart, which has one unit, shows no more than two digits after the point', () => {
  expect([0.0128, 1_534].map(formatMeasure)).toEqual(['0.01', '1,530']);
});
