import { expect, test } from 'bun:test';
import { printable } from '../../src/cli/printable.ts';

test('control characters are escaped', () => {
  expect(printable('a\u001b[31m\u0000\u007f\u0085\u009b2J\u202eb\u2066\u200f\u2028c')).toBe(
    'a\\u001b[31m\\u0000\\u007f\\u0085\\u009b2J\\u202eb\\u2066\\u200f\\u2028c',
  );
  expect(printable('\u{e0041}')).toBe('\\udb40\\udc41');
});

test('readable text is unchanged', () => {
  const text = 'Zoë, 猫 and 🐈: "a\\b"';
  expect(printable(text)).toBe(text);
});

test('escaped JSON has the same value', () => {
  const value = { 'a\u009b': '\u202e\n"\\\u{e0041}' };
  expect(JSON.parse(printable(JSON.stringify(value)))).toEqual(value);
});
