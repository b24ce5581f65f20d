import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  INT64_MAX,
  INT64_MIN,
  int64FromJsonNumber,
  parseId,
  parseInt64,
  wholeNumber,
} from '#formats/int64.ts';

const anyInt64 = fc.bigInt({ min: INT64_MIN, max: INT64_MAX });
const beyondInt64 = fc.oneof(
  fc.bigInt({ min: INT64_MAX + 1n, max: 10n ** 40n }),
  fc.bigInt({ min: -(10n ** 40n), max: INT64_MIN - 1n }),
);

describe.each([
  ['in a path or a query', parseInt64],
  ['in JSON', int64FromJsonNumber],
])('an integer %s', (_, parse) => {
  test('keeps every digit of an int64, and is refused outside its range', () => {
    fc.assert(fc.property(anyInt64, (value) => parse(String(value)) === value));
    fc.assert(fc.property(beyondInt64, (value) => parse(String(value)) === undefined));
  });
});

test.each(['', ' 1', '+1', '01', '-0', '1.0', '1e0', '٣', '-'])(
  '%p is refused in a path or a query',
  (text) => expect(parseInt64(text)).toBeUndefined(),
);

test.each([
  ['2147483647', 2_147_483_647],
  ['2147483648', undefined],
  ['-1', undefined],
])('the id %p of an account is read as %p', (text, id) => {
  expect(parseId(text)).toBe(id as number);
});

test.each(['-5', '1.5', '0x10', '9'.repeat(16)])('%p is not a whole number', (text) => {
  expect(wholeNumber(text)).toBeUndefined();
});

describe('an integer in JSON', () => {
  test('can have a zero fraction or an exponent', () => {
    const shift = fc.integer({ min: 0, max: 40 });
    fc.assert(
      fc.property(anyInt64, shift, (value, zeros) => {
        const digits = '0'.repeat(zeros);
        expect(int64FromJsonNumber(`${value}.${digits}0`)).toBe(value);
        expect(int64FromJsonNumber(`${value}${digits}e-${zeros}`)).toBe(value);
        expect(int64FromJsonNumber(`${value}.0E+0`)).toBe(value);
      }),
    );
  });

  test('is parsed in linear time', () => {
    // If parsing took quadratic time, the test would exceed its time limit.
    const zeros = '0'.repeat(1_000_000);
    expect(int64FromJsonNumber(`1${zeros}1`)).toBeUndefined();
    expect(int64FromJsonNumber(`0.${zeros}1`)).toBeUndefined();
    expect(int64FromJsonNumber(`7.${zeros}`)).toBe(7n);
  });

  test.each([
    ['1e18', 10n ** 18n],
    ['-0', 0n],
    ['0.0120e3', 12n],
    ['0e999999999', 0n],
    ['1e999999999', undefined],
    ['1e-1', undefined],
    ['9223372036854775807.5', undefined],
  ])('%p is read as %p', (source, value) => {
    expect(int64FromJsonNumber(source)).toBe(value as bigint);
  });
});
