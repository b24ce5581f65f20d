import { expect, test } from 'bun:test';
import { startLines } from '#cli/start-report.ts';
import { formatTime } from '#domain/time-text.ts';
import { makeKey, run, serve } from '../support/command.ts';
import { openStore } from '../support/store.ts';
import { newFile } from '../support/temporary-folder.ts';
import { anHour } from '../support/values.ts';

const DAY_MS = 86_400_000;

test('BROWNOUTS is shown by the start, by deprecations and by a metric', async () => {
  const nowMs = Date.now();
  const [start, end] = [formatTime(nowMs - 60_000), formatTime(nowMs + 86_340_000)];
  const { settings: store } = newFile();
  const settings = { ...store, BROWNOUTS: `2030-11-30T12:00+02:00/4h,${start}/24h` };
  await using service = await serve(settings);
  expect(startLines(service.started)).toContain(`  brownout   ${start} to ${end} (active)`);
  expect(await service.metric('brownout')).toBe(1);
  expect((await run(settings, 'deprecations')).stdout).toEndWith(
    '\nBrownouts, from BROWNOUTS in this shell:\n\n' +
      'START                 END                   STATE\n' +
      `${start}  ${end}  active\n` +
      '2030-11-30T10:00:00Z  2030-11-30T14:00:00Z  planned\n',
  );
});

test('deprecations shows the keys that call getPet, those with the most requests first', async () => {
  const { url, settings } = newFile();
  const startedAt = formatTime(Date.now());
  const hourMs = Math.floor(Date.parse(startedAt) / 3_600_000) * 3_600_000;
  const { id: few } = await makeKey(settings, 'few');
  const { id: many } = await makeKey(settings, 'many');
  expect((await run(settings, 'deprecations')).stdout).toMatch(
    /^getPet will be removed on 2030-12-05, in [\d,]+ days\.\n/,
  );

  const use = (keyId: number, days: number, served: number, operation = 'getPet') => {
    const startsAtMs = hourMs - days * DAY_MS;
    return anHour({ accountId: keyId, keyId, operation, served, startsAtMs });
  };
  {
    await using store = await openStore(url);
    const calls = [use(few, 0, 3), use(many, 3, 20), use(many, 20, 1_000)];
    await store.history.add([...calls, use(few, 1, 9_999, 'listPets')]);
  }
  const { stdout } = await run(settings, 'deprecations');
  const [, first = '', second] = stdout.split('\n').slice(2);
  expect(first).toMatch(new RegExp(`^many +${many} +0 +20 +1,020 `));
  // The history begins before the key was created.
  expect(first.slice(-20) >= startedAt).toBe(true);
  expect(second).toMatch(new RegExp(`^few +${few} +3 +3 +3 +${formatTime(hourMs)} `));
});
