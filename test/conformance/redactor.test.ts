import { expect, test } from 'bun:test';
import { redactor } from '../../src/conformance/redactor.ts';

test('a key that begins with another key is removed completely', () => {
  const redact = redactor(['abcabc', 'abcabcdef']);
  expect(redact('abcabcdef, abcabc')).toBe('(key), (key)');
});

test.each([
  ['as it is', 'a/b+c=='],
  ['in capitals', 'A/B+C=='],
  ['escaped in JSON', 'a\\/b+c=='],
  ['as JSON code units', 'a\\u002Fb\\u002bc=='],
  ['encoded in a URL', 'a%2Fb%2Bc%3D%3D'],
  ['encoded in a URL in lower case', 'a%2fb%2bc%3d%3d'],
])('a key is removed %s', (_, text) => {
  expect(redactor(['a/b+c=='])(`<${text}>`)).toBe('<(key)>');
});

test('other text is kept', () => {
  expect(redactor(['a.c'])('abc')).toBe('abc');
});
