import { expect, test } from 'bun:test';
import { parseExpiry, parseSince, parseUntil } from '#domain/time-text.ts';

const NOW_MS = Date.UTC(2027, 0, 31, 12);

test('an expiry is in the future, a start is not, and an end includes the whole second or day that it names', () => {
  expect(parseExpiry('90s', NOW_MS)).toBe(NOW_MS + 90_000);
  expect(() => parseExpiry('0s', NOW_MS)).toThrow('is not in the future');
  expect(parseSince('0s', NOW_MS)).toBe(NOW_MS);
  expect(parseUntil('1s', NOW_MS)).toBe(NOW_MS - 1);
  expect(parseUntil('2027-01-30', NOW_MS)).toBe(Date.UTC(2027, 0, 31) - 1);
});
