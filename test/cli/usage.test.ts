import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { startLines } from '#cli/start-report.ts';
import type { UsagePeriod } from '#domain/operator/history.ts';
import { formatTime } from '#domain/time-text.ts';
import { makeKey, printed, run, runJson, serveHere } from '../support/command.ts';
import { openStore } from '../support/store.ts';
import { newFile } from '../support/temporary-folder.ts';
import { anHour } from '../support/values.ts';

const DAY_MS = 86_400_000;
const YESTERDAY_MS = (Math.floor(Date.now() / DAY_MS) - 1) * DAY_MS;
const YESTERDAY = new Date(YESTERDAY_MS).toISOString().slice(0, 10);

async function addHistory(url: string, ...hours: UsagePeriod[]) {
  await using store = await openStore(url);
  await store.history.add(hours);
}

const { url, settings } = newFile();
const acme = await makeKey(settings, 'acme', 'enterprise', { perMinute: 9, perDay: 7 });
const other = await makeKey(settings, 'other', 'pro');
const keyId = acme.id;

const use = ({ id }: { id: number }, operation: string, counts: Partial<UsagePeriod>) =>
  anHour({ accountId: id, keyId: id, operation, startsAtMs: YESTERDAY_MS, ...counts });

/** 9 requests of acme: 4 pages, 2 unknown pets, 1 invalid body and 2 that were refused. One of other. */
await addHistory(
  url,
  use(acme, 'listPets', { served: 4, refusedByDay: 2, busiestMinute: 3 }),
  use(acme, 'getPet', { clientErrors: 2 }),
  use(acme, 'createPet', { clientErrors: 1 }),
  use(other, 'listPets', { served: 1 }),
  // An hour before the last 30 days, with today.
  use(other, 'getPet', { served: 1, startsAtMs: YESTERDAY_MS - 28 * DAY_MS - 3_600_000 }),
);

const usage = (line = 'accounts usage') => runJson(settings, line);

test('usage is reported by account, day, hour, operation and key', async () => {
  const counts = { requests: 9, served: 4, refusedByDay: 2, clientErrors: 3, serverErrors: 0 };
  expect(await usage()).toMatchObject([
    { account: 'acme', ...counts },
    { account: 'other', requests: 1 },
  ]);
  const [day] = await usage('accounts usage acme --by day');
  expect(day).toMatchObject({ day: YESTERDAY, ...counts });
  const [hour] = await usage('accounts usage acme --by hour');
  expect(hour).toMatchObject({ hour: `${YESTERDAY}T00:00:00Z`, ...counts });
  expect(await usage('accounts usage acme --by operation')).toMatchObject([
    { operation: 'listPets', requests: 6, served: 4, refusedByDay: 2 },
    { operation: 'getPet', requests: 2, clientErrors: 2 },
    { operation: 'createPet', requests: 1, clientErrors: 1 },
  ]);
  expect(await usage('accounts usage acme --by key')).toMatchObject([
    { key: keyId, account: 'acme', ...counts },
  ]);
  expect(await printed(settings, 'accounts usage')).toMatch(
    /^ACCOUNT +REQUESTS +SERVED +REFUSED +4XX +5XX +PEAK\/MIN\nacme +9 +4 +2 +3 +0 +3\n/,
  );
});

test('a list of plans shows their limits and numbers of accounts', async () => {
  expect(await printed(settings, 'plans list')).toMatch(
    /\npro +300 +10,000 +1\n.*\nenterprise +custom +custom +\d\n$/,
  );
});

test('a list of keys shows when each was last used, and its requests of 30 days', async () => {
  expect(await runJson(settings, 'keys list')).toMatchObject([
    { id: keyId, lastUsedAt: `${YESTERDAY}T00:00:00Z`, requestsIn30Days: 9 },
    { requestsIn30Days: 1 },
  ]);
});

test('a preview says which accounts other limits would have refused', async () => {
  const line = 'plans preview enterprise --per-minute 100 --per-day 5';
  const preview = await runJson(settings, line);
  const acme = { account: 'acme', requests: 9, refused: 4, refusedInFact: 2 };
  expect(preview).toMatchObject({ requests: 9, refused: 4, affected: [acme] });
  await addHistory(url, use(await makeKey(settings, 'zoo'), 'getPet', { served: 99 }));
  const sorted = await runJson(settings, line);
  expect(sorted).toMatchObject({ affected: [{ account: 'zoo' }, { account: 'acme' }] });
  const table = await printed(settings, 'plans preview enterprise --per-minute 1');
  expect(table).toContain('3 in a minute on ');
  const { stdout, stderr } = await run(settings, 'plans preview pro --per-day 1');
  expect(stdout).toBe('');
  expect(stderr).toContain(
    'would have refused at least 0 of 1 request, sent by 0 of 1 account on the Pro plan.',
  );
});

test('a change of plan shows its preview, with --dry-run before it is made', async () => {
  const line = 'accounts set-plan acme --plan enterprise --per-day 4 --per-minute 50';
  const perDay = async () => (await runJson(settings, 'accounts show acme')).perDay;
  const preview = { requests: 9, refused: 5, refusedInFact: 2 };
  expect(await runJson(settings, line, '--dry-run')).toMatchObject({ preview });
  expect(await perDay()).toBe(7);
  const stdout = await printed(settings, line);
  expect(stdout).toStartWith('Moved account "acme" to the Enterprise plan (50 requests per');
  expect(stdout).toContain('these limits would have refused at least 5 of 9 requests.');
  expect(await perDay()).toBe(4);
});

test('the usage of a removed account is deleted from the store', async () => {
  const { path, url, settings } = newFile();
  await addHistory(url, use(await makeKey(settings, 'gone'), 'getPet', { served: 1 }));
  using database = new Database(path);
  const periods = () => database.query('SELECT * FROM usage_periods').all();
  expect(periods()).toHaveLength(1);
  await printed(settings, 'accounts remove gone --yes');
  expect(periods()).toEqual([]);
});

test('BROWNOUTS is shown by the start, by deprecations and by a metric', async () => {
  const nowMs = Date.now();
  const [start, end] = [formatTime(nowMs - 60_000), formatTime(nowMs + 86_340_000)];
  const { settings: store } = newFile();
  const settings = { ...store, BROWNOUTS: `2030-11-30T12:00+02:00/4h,${start}/24h` };
  await using service = await serveHere(settings);
  expect(startLines(service.started)).toContain(`  brownout   ${start} to ${end} (active)`);
  expect(await service.metric('brownout')).toBe(1);
  expect(await printed(settings, 'deprecations')).toEndWith(
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
  const few = await makeKey(settings, 'few');
  const many = await makeKey(settings, 'many');
  expect(await printed(settings, 'deprecations')).toMatch(
    /^getPet will be removed on 2030-12-05, in [\d,]+ days\.\n/,
  );

  const ago = (days: number, served: number) => ({ served, startsAtMs: hourMs - days * DAY_MS });
  await addHistory(
    url,
    use(few, 'getPet', ago(0, 3)),
    use(many, 'getPet', ago(3, 20)),
    use(many, 'getPet', ago(20, 1_000)),
    use(few, 'listPets', ago(1, 9_999)),
  );
  const stdout = await printed(settings, 'deprecations');
  const [, first = '', second] = stdout.split('\n').slice(2);
  expect(first).toMatch(new RegExp(`^many +${many.id} +0 +20 +1,020 `));
  // The history begins before the key was created.
  expect(first.slice(-20) >= startedAt).toBe(true);
  expect(second).toMatch(new RegExp(`^few +${few.id} +3 +3 +3 +${formatTime(hourMs)} `));
});
