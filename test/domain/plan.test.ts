import { describe, expect, test } from 'bun:test';
import { parseAccountName } from '../../src/domain/account.ts';
import { limitsFor, PLANS, parsePlan } from '../../src/domain/plan.ts';

describe('a plan', () => {
  test('is found by its exact name', () => {
    expect(parsePlan('pro')).toBe('pro');
    for (const name of ['Pro', '', 'gold', 'toString', '__proto__']) {
      expect(() => parsePlan(name)).toThrow('must be one of free, pro, business, enterprise');
    }
  });

  test('with fixed limits accepts no other limits', () => {
    expect(limitsFor('free', {})).toEqual(PLANS.free.limits);
    expect(() => limitsFor('free', { perMinute: 61 })).toThrow('Only Enterprise accepts');
    expect(() => limitsFor('pro', { perDay: 1 })).toThrow('Only Enterprise accepts');
  });

  test('Enterprise needs both limits', () => {
    expect(limitsFor('enterprise', { perMinute: 5, perDay: 6 })).toEqual({
      perMinute: 5,
      perDay: 6,
    });
    for (const half of [{}, { perMinute: 5 }, { perDay: 6 }]) {
      expect(() => limitsFor('enterprise', half)).toThrow('Set both --per-minute and --per-day');
    }
  });

  test.each([0, -1, 1.5, 1_000_000_001, Number.NaN])('%p is not a valid limit', (value) => {
    expect(() => limitsFor('enterprise', { perMinute: value, perDay: 1 })).toThrow(
      'A limit must be an integer from 1 to 1000000000',
    );
  });
});

test('an account name has 1 to 64 simple characters', () => {
  for (const name of ['demo', 'Acme Inc.', 'a@b-c_d', '7', 'Zoë']) {
    expect(parseAccountName(name)).toBe(name);
  }
  for (const name of ['', ' x', '-x', 'a\nb', 'a/b', "a'b", 'x'.repeat(65)]) {
    expect(() => parseAccountName(name)).toThrow('An account name must be 1 to 64 letters');
  }
});
