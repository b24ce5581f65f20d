import { expect, test } from 'bun:test';
import { isInt64, parseExactJson } from '../../src/conformance/exact-json.ts';

test('integers keep every digit, however they are written', () => {
  expect(parseExactJson('[9223372036854775807, -9007199254740993, 7.0, 7e0, 0]')).toEqual([
    9223372036854775807n,
    -9007199254740993n,
    7n,
    7n,
    0n,
  ]);
});

test('fractions and integers of 20 digits stay numbers', () => {
  expect(parseExactJson(`{"a": 1.5, "b": ${'9'.repeat(20)}}`)).toEqual({ a: 1.5, b: 1e20 });
});

test('text that is not JSON is undefined', () => {
  for (const text of ['', '{', '<html>', 'NaN']) expect(parseExactJson(text)).toBeUndefined();
});

test('an int64 has 64 bits', () => {
  expect([2n ** 63n - 1n, -(2n ** 63n)].every(isInt64)).toBe(true);
  expect([2n ** 63n, -(2n ** 63n) - 1n, 1.5, '1', null, undefined].some(isInt64)).toBe(false);
});
