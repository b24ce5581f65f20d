import { expect, test } from 'bun:test';
import { readBan, readWindows } from '../../../src/domain/operator/limiter-counts.ts';
import { type Usage, usageAt } from '../../../src/domain/rate-limit.ts';
import type { UsageReader } from '../../../src/domain/usage-journal.ts';
import { anAccount } from '../../support/account.ts';
import { anApiKey } from '../../support/api-key.ts';

const NOW_MS = Date.UTC(2026, 10, 16, 12);
const DAY_MS = 86_400_000;
/** An account that was reset twice, one day ahead of the real time. */
const account = anAccount({ clockOffsetMs: DAY_MS, resets: 2 });
const key = {
  ...anApiKey(),
  accountName: account.name,
  accountSuspendedAtMs: null,
  clockOffsetMs: DAY_MS,
  resets: 2,
};
const subject = `account:${account.id}.2`;
const used: Usage = { ...usageAt(undefined, subject, NOW_MS + DAY_MS), minuteUsed: 3, dayUsed: 4 };
const bannedUntilSeconds = (NOW_MS + DAY_MS) / 1000 + 60;
const reader: UsageReader = {
  getUsage: async (asked) => (asked === subject ? used : undefined),
  getPenalty: async (asked) =>
    asked === subject
      ? {
          ...{ refusedUntilSeconds: 0, firstRefusedAtSeconds: 0, refusals: 0, strikes: [] },
          ...{ bannedUntilSeconds, bans: 1, unbannedAtMs: key.unbannedAtMs },
        }
      : undefined,
};

async function counts(nowMs: number) {
  const { minute, day } = await readWindows(reader, account, nowMs);
  return [minute.used, day.used];
}

test('windows and bans are those since the last reset of the account, at its test time', async () => {
  expect(await counts(NOW_MS)).toEqual([3, 4]);
  expect(await readBan(reader, key, NOW_MS)).toBe(bannedUntilSeconds * 1000);
  expect(await counts(NOW_MS + 60_000)).toEqual([0, 4]);
  expect(await readBan(reader, key, NOW_MS + 60_000)).toBeNull();
});
