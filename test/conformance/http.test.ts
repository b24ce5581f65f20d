import { expect, test } from 'bun:test';
import { isInt64, parseJson } from '../../src/conformance/http.ts';
import { redactor } from '../../src/conformance/session.ts';

test('integers keep every digit, however they are written', () => {
  expect(parseJson('[9223372036854775807, -9007199254740993, 7.0, 7e0, 0]')).toEqual([
    9223372036854775807n,
    -9007199254740993n,
    7n,
    7n,
    0n,
  ]);
});

test('fractions and integers of 20 digits stay numbers', () => {
  expect(parseJson(`{"a": 1.5, "b": ${'9'.repeat(20)}}`)).toEqual({ a: 1.5, b: 1e20 });
});

test('text that is not JSON is undefined', () => {
  for (const text of ['', '{', '<html>', 'NaN']) expect(parseJson(text)).toBeUndefined();
});

test('an int64 has 64 bits', () => {
  expect([2n ** 63n - 1n, -(2n ** 63n)].every(isInt64)).toBe(true);
  expect([2n ** 63n, -(2n ** 63n) - 1n, 1.5, '1', null, undefined].some(isInt64)).toBe(false);
});

test('a key that begins with another key is removed completely', () => {
  const show = redactor(['abcabc', 'abcabcdef']);
  expect(show('abcabcdef, abcabc')).toBe('(key), (key)');
});

test.each([
  ['as it is', 'a/b+c=='],
  ['in capitals', 'A/B+C=='],
  ['escaped in JSON', 'a\\/b+c=='],
  ['encoded in a URL', 'a%2Fb%2Bc%3D%3D'],
  ['encoded in a URL in lower case', 'a%2fb%2bc%3d%3d'],
])('a key is removed %s', (_, text) => {
  expect(redactor(['a/b+c=='])(`<${text}>`)).toBe('<(key)>');
});

test('other text is kept, and only its start if it is long', () => {
  expect(redactor(['a.c'])('abc')).toBe('abc');
  expect(redactor(['secret'])(`${'x'.repeat(590)} secret secret`)).toBe(
    `${'x'.repeat(590)} (key) (ke… (2 more characters)`,
  );
});
