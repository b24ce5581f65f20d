import { describe, expect, test } from 'bun:test';
import { median, ratios, spread } from '../../bench/harness/statistics.ts';

describe('figures of a benchmark', () => {
  test('the median is the middle one, or lies between the two in the middle', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([100, 9, 1, 5])).toBe(7);
    expect(median([3])).toBe(3);
  });

  test('there is no median of nothing', () => {
    expect(() => median([])).toThrow('no median');
  });

  test('the spread is how far the rounds are apart, as a share of the median', () => {
    expect(spread([90, 100, 120])).toBe(0.3);
    expect(spread([100])).toBeUndefined();
  });

  test('a ratio is taken within each round', () => {
    expect(ratios([20, 10, 40], [10, 5, 20])).toEqual([2, 2, 2]);
    expect(ratios([20, 10], [10])).toEqual([2]);
    expect(ratios([20], [])).toEqual([]);
  });
});
