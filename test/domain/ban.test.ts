import { expect, test } from 'bun:test';
import { isPenaltyOver, NO_PENALTY } from '#domain/ban.ts';

test.each([
  [{ refusedUntilSeconds: 100_000 }, 100_000],
  [{ strikes: [99_999, 100_000] }, 100_060],
  [{ bannedUntilSeconds: 100_000 }, 186_400],
])('a penalty with %j is kept until %d', (changes, endSeconds) => {
  const penalty = { ...NO_PENALTY, unbannedAtMs: 0, ...changes };
  expect(isPenaltyOver(penalty, endSeconds * 1000 - 1)).toBe(false);
  expect(isPenaltyOver(penalty, endSeconds * 1000)).toBe(true);
});
