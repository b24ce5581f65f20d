import { describe, expect, test } from 'bun:test';
import { formatCountdown, formatMeasure } from '../../../src/operator/console/format.ts';

const NOW = Date.parse('2026-11-16T12:00:00Z');
const later = (seconds: number) => new Date(NOW + seconds * 1000).toISOString();

describe('the console writes', () => {
  test('a countdown with its seconds, which never runs below zero', () => {
    expect(formatCountdown(later(65), NOW)).toBe('1:05');
    expect(formatCountdown(later(3_665), NOW)).toBe('1:01:05');
    expect(formatCountdown(later(-9), NOW)).toBe('0:00');
  });

  test('rates and latencies with the digits that a person can use', () => {
    const shown = [null, 0, 3, 0.456, 3.21, 12.7, 1234.5].map(formatMeasure);
    expect(shown).toEqual(['–', '0', '3', '0.46', '3.2', '13', '1,235']);
  });
});
