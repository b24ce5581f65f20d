import { describe, expect, test } from 'bun:test';
import { formatTable, printable } from '../../src/cli/text.ts';

test('control characters are escaped, and readable text is unchanged', () => {
  expect(printable('a\u001b[31m\u0000\u009b2J\u202eb\u2028\u{e0041}')).toBe(
    'a\\u001b[31m\\u0000\\u009b2J\\u202eb\\u2028\\udb40\\udc41',
  );
  const text = 'Zoë, 猫 and 🐈: "a\\b"';
  expect(printable(text)).toBe(text);
});

test('escaped JSON has the same value', () => {
  const value = { 'a\u009b': '\u202e\n"\\\u{e0041}' };
  expect(JSON.parse(printable(JSON.stringify(value)))).toEqual(value);
});

describe('a table', () => {
  const ROWS = [
    { name: 'Rex', count: 7 },
    { name: '猫の手も借りたい会社', count: 1_234 },
  ];

  const table = (columns?: number, rows = ROWS) =>
    formatTable<(typeof ROWS)[number]>(
      { NAME: ({ name }) => name, COUNT: ({ count }) => count, STATE: () => 'active' },
      rows,
      columns,
    );

  test('is aligned by the width that characters have on a terminal, numbers to the right', () => {
    expect(table()).toEqual([
      'NAME                  COUNT  STATE',
      'Rex                       7  active',
      '猫の手も借りたい会社  1,234  active',
    ]);
  });

  test('never has a line that is longer than the terminal is wide', () => {
    for (let width = 1; width < 50; width++) {
      const widths = table(width).map((line) => Bun.stringWidth(line));
      expect(Math.max(...widths)).toBeLessThanOrEqual(width);
    }
  });

  test('escapes control characters in a cell', () => {
    const [, line] = table(80, [{ name: '\u001b[31m', count: 1 }]);
    expect(line).toContain('\\u001b[31m');
  });
});
