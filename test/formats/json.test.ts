import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { JsonSyntaxError, type JsonValue, parseJson } from '#formats/json.ts';

/** Turns bigints into numbers, to compare the two parsers. */
function asNumbers(value: JsonValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(asNumbers);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, asNumbers(item)]));
}

function isRefused(text: string, parse: (text: string) => unknown = parseJson) {
  try {
    parse(text);
    return false;
  } catch (error) {
    expect(error).toBeInstanceOf(parse === parseJson ? JsonSyntaxError : SyntaxError);
    return true;
  }
}

describe('parseJson', () => {
  test('reads all JSON that JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.nat(4), (text, indent) => {
        const indented = JSON.stringify(JSON.parse(text), null, indent);
        const spaced = indented.replace(/(?<=[[{])(?=[\]}])/g, ' ');
        expect(asNumbers(parseJson(spaced))).toEqual(asNumbers(JSON.parse(spaced)));
      }),
      { numRuns: 200 },
    );
  });

  test('refuses all text that JSON.parse refuses', () => {
    const scraps = fc.constantFrom(
      ...'{}[],:"\\a01-.e+ \n/\'\u0001\ufeff\u00a0',
      'true',
      'null',
      'NaN',
      '"x"',
      '"\\u00',
    );
    fc.assert(
      fc.property(fc.array(scraps, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        // The reverse does not hold: JSON.parse accepts duplicate members.
        if (isRefused(text, JSON.parse)) expect(isRefused(text)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('refuses a duplicate member, even with different escapes', () => {
    expect(() => parseJson('{"name":1,"n\\u0061me":2}')).toThrow(
      'a field is repeated at character 11',
    );
    expect(() => parseJson('{"__proto__":1,"__proto__":2}')).toThrow(JsonSyntaxError);
  });

  test('treats __proto__ as an ordinary member', () => {
    const value = parseJson('{"__proto__":{"name":"x"}}') as Record<string, JsonValue>;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(value['name']).toBeUndefined();
  });

  test.each([
    ['[', ']'],
    ['{"a":', '}'],
  ])('reads 64 levels of %p and refuses one more', (open, close) => {
    const nested = (depth: number) => `${open.repeat(depth - 1)}[]${close.repeat(depth - 1)}`;
    expect(isRefused(nested(64))).toBe(false);
    expect(isRefused(nested(65))).toBe(true);
    expect(isRefused(open.repeat(60_000))).toBe(true);
  });

  test('counts members and elements of every depth, and stops at the first too many', () => {
    const text = '{"a":[1,{"b":2}],"c":[]}';
    expect(asNumbers(parseJson(text, 5))).toEqual(JSON.parse(text));
    expect(() => parseJson(text, 4)).toThrow('has more than 4 values');
    expect(() => parseJson('[1,1,?', 2)).toThrow('has more than 2 values');
  });

  test('reads every integer, however it is written, and checks a long number that is not an integer', () => {
    expect(parseJson(`7.${'0'.repeat(5_000)}`)).toBe(7n);
    const longest = `7.${'1'.repeat(998)}`;
    expect(parseJson(longest)).toBe(Number(longest));
    expect(parseJson(`${longest}1`)).toBeNaN();
    expect(isRefused(`7.${'1'.repeat(5_000)}x`)).toBe(true);
  });

  test.each([
    ['', 'expected a value at character 1'],
    ['{"a" 1}', 'expected ":" at character 6'],
    ['{a:1}', 'expected the name of a field in double quotes at character 2'],
    ['"\\x"', 'a string has an invalid escape at character 5'],
    ['"a\\"', 'a string has no end at character 5'],
    ['"a\nb', 'a string has an unescaped control character at character 3'],
    ['"a\\\\"b', 'expected the end at character 6'],
  ])('refuses %p with: %s', (text, message) => {
    expect(() => parseJson(text)).toThrow(message);
  });
});
