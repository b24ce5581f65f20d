import { expect, test } from 'bun:test';
import { NO_PENALTY } from '#domain/ban.ts';
import { readBan } from '#domain/operator/operator-json.ts';
import { anApiKey } from '../../support/values.ts';

const NOW_MS = Date.UTC(2026, 10, 16, 12);
const DAY_MS = 86_400_000;
/** A key of an account that was reset twice, one day ahead of the real time. */
const KEY = {
  ...anApiKey(),
  accountName: 'demo',
  accountSuspendedAtMs: null,
  clockOffsetMs: DAY_MS,
  resets: 2,
  acceptedAtMs: null,
  refusedAtMs: null,
  refusal: null,
};
const BAN = {
  ...NO_PENALTY,
  bannedUntilSeconds: (NOW_MS + DAY_MS) / 1000 + 60,
  bans: 1,
  unbannedAtMs: KEY.unbannedAtMs,
};

test('a list shows only bans since the last reset of the account, by its test time', async () => {
  const reader = {
    getCounts: async () => undefined,
    getPenalty: async (subject: string) => (subject === 'account:1.2' ? BAN : undefined),
  };
  expect(await readBan(reader, KEY, NOW_MS)).toBe(NOW_MS + DAY_MS + 60_000);
  expect(await readBan(reader, KEY, NOW_MS + 60_000)).toBeNull();
  expect(await readBan(reader, { ...KEY, resets: 3 }, NOW_MS)).toBeNull();
});
