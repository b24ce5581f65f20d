import { describe, expect, test } from 'bun:test';
import { isAccountName, parseAccountName, parseNote } from '#domain/account.ts';
import { limitsFor } from '#domain/plan.ts';

test.each([0, 1.5, 1_000_000_001, Number.NaN])('%p is not a valid limit', (value) => {
  expect(() => limitsFor('enterprise', { perMinute: value, perDay: 1 })).toThrow(
    'A limit must be an integer from 1 to 1,000,000,000',
  );
});

test('a limit of a billion is valid', () => {
  const limits = { perMinute: 1_000_000_000, perDay: 1 };
  expect(limitsFor('enterprise', limits)).toEqual(limits);
});

test('an account name has 1 to 64 simple characters', () => {
  const punctuated = "Smith & Sons (A/B), O'Neil + a@b-c_d.";
  for (const name of ['demo', punctuated, '7', 'Zoë', 'x'.repeat(64)]) {
    expect(parseAccountName(name)).toBe(name);
  }
  for (const name of ['', ' ', '-x', '&x', '/x', 'a\nb', 'a<b', 'a/../b', 'x'.repeat(65)]) {
    expect(() => parseAccountName(name)).toThrow('An account name must be 1 to 64 letters');
  }
});

test('a label or a reason has up to 200 characters, which every store keeps as they are', () => {
  const longest = '🐕'.repeat(100);
  expect(parseNote(longest)).toBe(longest);
  for (const text of [`${longest}x`, 'a\nb', '\ud83d', '\udc15\ud83d']) {
    expect(() => parseNote(text)).toThrow('must be at most 200 characters');
  }
});

describe('account names that look the same', () => {
  test.each([' acme  inc ', 'ａｃｍｅ\u00a0\u00a0inc'])('are one name: %j', (text) => {
    expect(parseAccountName(text)).toBe('acme inc');
    expect(isAccountName(text)).toBe(false);
  });

  test.each(['\u3164', '\u115f'])('have no invisible letters: %j', (letter) => {
    expect(() => parseAccountName(`동물${letter}`)).toThrow('An account name must be');
  });

  test.each(['\u0430cme', '\u03bf\u0441\u0430'])('must not mix two alphabets: %s', (text) => {
    expect(() => parseAccountName(text)).toThrow('mix letters of two alphabets');
    expect(isAccountName(text)).toBe(false);
  });

  test.each(['Зоомагазин 7', 'ペットショップ', '愛犬 Acme', '동물 가게'])(
    'may be in any one alphabet: %s',
    (name) => expect(parseAccountName(name)).toBe(name),
  );
});
