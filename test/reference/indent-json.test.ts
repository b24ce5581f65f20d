import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { indentJson } from '../../src/reference/browser/response-view.tsx';

test('JSON is indented as JSON.stringify does it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ depthSize: 'small' }), (value) => {
      const expected = JSON.stringify(value, null, 2);
      expect(indentJson(JSON.stringify(value))).toBe(expected);
      expect(indentJson(expected)).toBe(expected);
    }),
  );
});

test('an int64 keeps every digit', () => {
  expect(indentJson('[9223372036854775807,1.5]')).toBe('[\n  9223372036854775807,\n  1.5\n]');
});

test.each([']}{"a', `"${'\\"'.repeat(100_000)}`, '['.repeat(100_000)])(
  'a text that is not JSON stays as it is',
  (text) => {
    expect(indentJson(text)).toBe(text);
  },
);
