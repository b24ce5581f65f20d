import { expect, test } from 'bun:test';
import { type Columns, formatTable, printable } from '#cli/text.ts';

test('control characters are escaped, and readable text is unchanged', () => {
  expect(printable('a\u001b[31m\u0000\u009b2J\u202eb\u2028\u{e0041}')).toBe(
    'a\\u001b[31m\\u0000\\u009b2J\\u202eb\\u2028\\udb40\\udc41',
  );
  const text = 'Zoë, 猫 and 🐈: "a\\b"';
  expect(printable(text)).toBe(text);
});

test('a table is aligned by the width that characters have on a terminal, numbers to the right', () => {
  const rows = [
    { name: '\u001b[31m', count: 7 },
    { name: '猫の手も借りたい会社', count: 1_234 },
  ];
  const columns: Columns<(typeof rows)[number]> = {
    NAME: ({ name }) => name,
    COUNT: ({ count }) => count,
    STATE: () => 'active',
  };
  expect(formatTable(columns, rows)).toEqual([
    'NAME                  COUNT  STATE',
    '\\u001b[31m                7  active',
    '猫の手も借りたい会社  1,234  active',
  ]);
});
