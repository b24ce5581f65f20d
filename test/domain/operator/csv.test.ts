import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { csvRecord, looksLikeFormula, parseCsvRecord } from '../../../src/domain/operator/csv.ts';

const anyField = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', ' ', '=', 'a', '😀') }),
);

test('every record is parsed to the same fields', () => {
  fc.assert(
    fc.property(fc.array(anyField, { minLength: 1 }), (fields) => {
      expect(parseCsvRecord(csvRecord(fields))).toEqual(fields);
    }),
  );
});

test.each([
  ['a,b', ['a', 'b']],
  ['a,', ['a', '']],
  ['', ['']],
  ['"a"', ['a']],
  ['"a,b",c', ['a,b', 'c']],
  ['"",""', ['', '']],
  ['"a""b"', ['a"b']],
  ['"""",x', ['"', 'x']],
  ['"a\nb"', ['a\nb']],
  ['"a', 'open'],
  ['x,"a""', 'open'],
  ['"a"b', 'stray'],
  ['a"b', 'stray'],
  ['a,b "c"', 'stray'],
])('%j is parsed to %j', (text, expected) => {
  expect(parseCsvRecord(text)).toEqual(expected as string[]);
});

test('text that a spreadsheet may run is recognized', () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)']) expect(looksLikeFormula(text)).toBe(true);
  expect(looksLikeFormula('Rex = 1')).toBe(false);
});
