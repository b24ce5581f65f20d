import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { indentJson } from '../../src/reference/code.tsx';

test('JSON is indented as JSON.stringify does it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const expected = JSON.stringify(value, null, 2);
      expect(indentJson(JSON.stringify(value))).toBe(expected);
      expect(indentJson(expected)).toBe(expected);
    }),
  );
});

test('numbers keep every digit', () => {
  expect(indentJson('[9223372036854775807,1.0]')).toBe('[\n  9223372036854775807,\n  1.0\n]');
});

test('a text that is not quite JSON does not fail', () => {
  expect(indentJson(']}{"a')).toContain('"a');
});

test('a string without an end takes no longer', () => {
  const text = `"${'\\"'.repeat(100_000)}`;
  const startedAt = performance.now();
  expect(indentJson(text)).toBe(text);
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});

test('a text of any depth can be shown', () => {
  expect(indentJson('['.repeat(100_000)).length).toBeLessThan(10_000_000);
});
