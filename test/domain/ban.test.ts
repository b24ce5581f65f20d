import { expect, test } from 'bun:test';
import { isPenaltyOver } from '#domain/ban.ts';

const NO_PENALTY = {
  refusedUntilSeconds: 0,
  firstRefusedAtSeconds: 0,
  refusals: 0,
  strikes: [],
  bannedUntilSeconds: 0,
  bans: 0,
  unbannedAtMs: 0,
};

test.each([
  [{ refusedUntilSeconds: 100_000 }, 100_000],
  [{ strikes: [99_999, 100_000] }, 100_060],
  [{ bannedUntilSeconds: 100_000 }, 186_400],
])('a penalty with %j is kept until %d', (changes, endSeconds) => {
  const penalty = { ...NO_PENALTY, ...changes };
  expect(isPenaltyOver(penalty, endSeconds * 1000 - 1)).toBe(false);
  expect(isPenaltyOver(penalty, endSeconds * 1000)).toBe(true);
});
