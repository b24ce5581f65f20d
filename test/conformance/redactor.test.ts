import { expect, test } from 'bun:test';
import { redactor } from '../../src/conformance/redactor.ts';

test('of a key that begins with another nothing is left', () => {
  const redact = redactor(['abcabc', 'abcabcdef']);
  expect(redact('abcabcdef, abcabc')).toBe('(key), (key)');
});

test.each([
  ['as it is', 'a/b+c=='],
  ['in capitals', 'A/B+C=='],
  ['escaped in JSON', 'a\\/b+c=='],
  ['in code units', 'a\\u002Fb\\u002bc=='],
  ['encoded in an address', 'a%2Fb%2Bc%3D%3D'],
  ['encoded in small letters', 'a%2fb%2bc%3d%3d'],
])('a key is taken out %s', (_, spelled) => {
  expect(redactor(['a/b+c=='])(`<${spelled}>`)).toBe('<(key)>');
});

test('nothing else is taken out', () => {
  expect(redactor(['a.c'])('abc')).toBe('abc');
});
