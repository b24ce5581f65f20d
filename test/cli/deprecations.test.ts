import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { type StartReport, startLines } from '../../src/service/start-report.ts';
import { eventually, makeKey, run, runJson, type Serving, serve } from '../support/command.ts';
import { anHour } from '../support/hour-of-use.ts';
import { openStore } from '../support/open-store.ts';
import { postgresForSuites } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

describe('BROWNOUTS', () => {
  const nowMs = Date.now();
  const at = (ms: number) => new Date(ms).toISOString().replace(/\.\d+/, '');
  const over = { startsAt: '2026-11-01T10:00:00Z', endsAt: '2026-11-01T10:15:00Z', state: 'over' };
  const active = { startsAt: at(nowMs - 60_000), endsAt: at(nowMs + 840_000), state: 'active' };
  const planned = {
    startsAt: '2030-11-30T10:00:00Z',
    endsAt: '2030-11-30T14:00:00Z',
    state: 'planned',
  };
  const settings = {
    DATABASE_URL: `sqlite:${join(folder.path, 'brownouts.db')}`,
    BROWNOUTS: `2030-11-30T12:00+02:00/4h,${active.startsAt}/15m,2026-11-01T10:00Z/15m`,
  };
  let service: Serving;
  let secret: string;

  beforeAll(async () => {
    ({ secret } = await makeKey(settings, 'shop'));
    service = await serve(settings);
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const metrics = async ({ started }: Serving) =>
    (await fetch(`${started.operator}/metrics`)).text();

  test('the start shows brownouts that are planned or active', () => {
    const report: StartReport = JSON.parse(service.stdout());
    expect(report.brownouts).toEqual([active, planned] as StartReport['brownouts']);
    const lines = startLines(report).filter((line) => line.startsWith('  brownout '));
    expect(lines).toEqual([
      `  brownout   ${active.startsAt} to ${active.endsAt} (active)`,
      `  brownout   ${planned.startsAt} to ${planned.endsAt} (planned)`,
    ]);
  });

  test('getPet returns 410 during one, and a metric is 1', async () => {
    const response = await fetch(`${service.started.api}/pets/1`, {
      headers: { Authorization: `Bearer ${secret}` },
    });
    expect(response.status).toBe(410);
    expect(await response.json()).toHaveProperty(
      'message',
      expect.stringContaining(`is in a brownout until ${active.endsAt}, `),
    );
    expect(await metrics(service)).toContain('\nanimal_store_brownout 1\n');
    expect(service.stderr()).toBe('');
  });

  test('the metric is 0 without one', async () => {
    await using other = await serve({ DATABASE_URL: `sqlite:${join(folder.path, 'none.db')}` });
    expect(await metrics(other)).toContain('\nanimal_store_brownout 0\n');
  });

  test('deprecations lists them, and says where they come from', async () => {
    const [report] = await runJson<object[]>(settings, 'deprecations');
    expect(report).toHaveProperty('brownouts', [over, active, planned]);
    const { stdout } = await run(settings, 'deprecations');
    const [, list = ''] = stdout.split('\nBrownouts, from BROWNOUTS in this environment:\n\n');
    expect(list.split('\n').map((line) => line.split(/ +/))).toEqual([
      ['START', 'END', 'STATE'],
      ...[over, active, planned].map((brownout) => Object.values(brownout)),
      [''],
    ]);
    const { DATABASE_URL } = settings;
    expect((await run({ DATABASE_URL }, 'deprecations')).stdout).toEndWith(
      '\nNo brownouts: BROWNOUTS in this environment is not set.\n',
    );
  });

  test('a mistake stops the start, with one line', async () => {
    const { exitCode, stdout, stderr } = await run({ BROWNOUTS: '2030-06-01/1h' }, 'serve');
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^BROWNOUTS must be start\/duration, .*, not "2030-06-01\/1h"\.\n$/);
  });
});

test('the report shows the requests of all instances', async () => {
  await using postgres = await postgresForSuites();
  const settings = { DATABASE_URL: await postgres.newDatabase() };
  const { id, secret } = await makeKey(settings, 'caller');
  await using first = await serve(settings);
  await using second = await serve(settings);
  const headers = { Authorization: `Bearer ${secret}` };
  for (const { started } of [first, second]) await fetch(`${started.api}/pets/1`, { headers });
  await eventually(async () => {
    const [report] = await runJson<{ callers: object[] }[]>(settings, 'deprecations');
    const wanted = { account: 'caller', key: id, lastDay: 2 };
    return report?.callers.some((caller) => Bun.deepMatch(wanted, caller)) ?? false;
  });
});

test('deprecations shows the keys that call getPet, those with the most requests first', async () => {
  const settings = { DATABASE_URL: `sqlite:${join(folder.path, 'report.db')}` };
  const removal = /^getPet will be removed on 2030-12-05, in [\d,]+ days\.\n/;
  const { id: few } = await makeKey(settings, 'few');
  const { id: many } = await makeKey(settings, 'many');
  const none = await run(settings, 'deprecations');
  expect(none.stdout).toMatch(removal);
  expect(none.stdout).toContain('\n\nNo requests for it are on record.\n\n');
  const hourMs = Math.floor(Date.now() / 3_600_000) * 3_600_000;
  const use = (keyId: number, days: number, served: number, operation = 'getPet') => {
    const atMs = hourMs - days * 86_400_000;
    return anHour({
      accountId: keyId,
      keyId,
      operation,
      served,
      startsAtMs: atMs,
      lastAtMs: atMs + 1_000,
    });
  };
  {
    await using store = await openStore(settings.DATABASE_URL);
    const older = [use(many, 3, 20), use(many, 20, 1_000), use(many, 40, 7), use(few, 0, 3)];
    const hours = [...older, use(many, 0, 1), use(few, 1, 99, 'listPets')];
    await store.history.add(hours);
  }
  const [report] = await runJson<object[]>(settings, 'deprecations');
  const time = (days: number) =>
    new Date(hourMs - days * 86_400_000).toISOString().replace('.000', '');
  const seen = { label: '', lastSeenAt: time(0).replace('00Z', '01Z') };
  expect(report).toEqual({
    brownouts: [],
    operation: 'getPet',
    removedOn: '2030-12-05',
    daysLeft: Math.ceil((Date.UTC(2030, 11, 5) - Date.now()) / 86_400_000),
    callers: [
      {
        account: 'many',
        key: many,
        ...seen,
        firstSeenAt: time(40),
        lastDay: 1,
        lastWeek: 21,
        lastMonth: 1_021,
      },
      {
        account: 'few',
        key: few,
        ...seen,
        firstSeenAt: time(0),
        lastDay: 3,
        lastWeek: 3,
        lastMonth: 3,
      },
    ],
  });
  const { stdout } = await run(settings, 'deprecations', '--database', settings.DATABASE_URL);
  expect(stdout).toMatch(removal);
  const [headings = '', first] = stdout.split('\n').slice(2);
  expect(headings).toMatch(/^ACCOUNT +KEY +LAST DAY +WEEK +MONTH +LAST SEEN +FIRST SEEN +LABEL$/);
  expect(first).toMatch(new RegExp(`^many +${many} +1 +21 +1,021 +20\\S+Z +${time(40)}$`));
});

test('an unknown word is an error', async () => {
  const { exitCode, stderr } = await run({}, 'deprecations', 'report');
  expect([exitCode, stderr.split('.')[0]]).toEqual([
    1,
    "error: too many arguments for 'deprecations'",
  ]);
});
