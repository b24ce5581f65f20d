import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import {
  eventually,
  makeKey,
  run,
  runJson,
  type Serving,
  type Settings,
  serve,
} from '../support/command.ts';
import { anHour } from '../support/hour-of-use.ts';
import { backend, openStore, TEST_ORIGIN } from '../support/open-store.ts';
import { postgresForSuites } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface BrownoutJson {
  readonly id: number;
  readonly state: string;
  readonly startsAt: string;
  readonly endsAt: string;
}

const resources = new AsyncDisposableStack();
const folder = resources.use(temporaryFolder());
let postgres: Awaited<ReturnType<typeof postgresForSuites>>;
beforeAll(async () => {
  postgres = resources.use(await postgresForSuites());
});
afterAll(() => resources.disposeAsync());

const BACKENDS = {
  SQLite: {
    instances: 1,
    newUrl: async () => `sqlite:${join(folder.path, 'store.db')}`,
  },
  PostgreSQL: { instances: 2, newUrl: () => postgres.newDatabase() },
};

describe.each(Object.entries(BACKENDS))('on %s', (_, { instances, newUrl }) => {
  let settings: Settings;
  let secret: string;
  const services: Serving[] = [];
  const running = new AsyncDisposableStack();

  beforeAll(async () => {
    settings = { DATABASE_URL: await newUrl() };
    ({ secret } = await makeKey(settings, 'shop'));
    for (let i = 0; i < instances; i++) await start();
    await callAll('/pets', { method: 'POST', body: '{"name":"Rex","categoryId":1}' });
  });
  afterAll(() => running.disposeAsync());

  async function start(): Promise<Serving> {
    const service = running.use(await serve(settings));
    services.push(service);
    return service;
  }

  function call({ started }: Serving, path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
    return fetch(`${started.api}${path}`, { ...init, headers });
  }

  function callAll(path: string, init?: RequestInit): Promise<Response[]> {
    return Promise.all(services.map((service) => call(service, path, init)));
  }

  function allReturn(status: number): Promise<void> {
    return eventually(async () => {
      const responses = await callAll('/pets/1');
      return responses.every((response) => response.status === status);
    });
  }

  const deprecations = (...words: string[]) => run(settings, 'deprecations', ...words);

  async function stateOf(id: number): Promise<string | undefined> {
    const all = await runJson<BrownoutJson[]>(settings, 'deprecations', 'brownouts');
    return all.find((brownout) => brownout.id === id)?.state;
  }

  /** Those that each instance has logged about a brownout. */
  function logged(id: number): string[][] {
    return services.map((service) =>
      service
        .stderr()
        .split('\n')
        .filter((line) => line.includes(`"brownout":${id},`))
        .map((line) => JSON.parse(line).msg),
    );
  }

  test('a brownout holds on every instance until it is cancelled', async () => {
    const words = ['brownout', 'getPet', '--for', '15m', '--now'];
    const brownout = await runJson<BrownoutJson>(settings, 'deprecations', ...words);
    const { id, startsAt, endsAt } = brownout;
    expect(Date.parse(endsAt) - Date.parse(startsAt)).toBe(900_000);
    await allReturn(410);
    // An instance that starts during a brownout knows it before its first request.
    await services.pop()?.[Symbol.asyncDispose]();
    expect((await call(await start(), '/pets/1')).status).toBe(410);
    for (const response of await callAll('/pets/1')) {
      const retryAfter = Number(response.headers.get('retry-after'));
      const leftSeconds = (Date.parse(endsAt) - Date.now()) / 1000;
      expect(retryAfter).toBeGreaterThanOrEqual(Math.floor(leftSeconds));
      expect(retryAfter).toBeLessThanOrEqual(900);
      const { code, message } = (await response.json()) as { code: string; message: string };
      expect(code).toBe('operation_removed');
      expect(message).toStartWith(
        'This is a rehearsal of the removal of GET /v1/pets/{petId} on 2030-12-05. ' +
          `It ends at ${endsAt}. Use GET /v1/pets`,
      );
    }
    expect(await stateOf(id)).toBe('active');
    expect((await deprecations(...words)).stderr).toBe(
      `Brownout ${id} of getPet overlaps that time. Cancel it, or choose another time.\n`,
    );

    const { stdout } = await deprecations('cancel', String(id));
    expect(stdout).toBe(
      `Cancelled brownout ${id} of getPet, which would have ended at ${endsAt}.\n`,
    );
    await allReturn(200);
    expect(await stateOf(id)).toBe('cancelled');
    await using store = await backend(settings['DATABASE_URL'] ?? '').openForCommand(TEST_ORIGIN);
    const changes = await store.audit.listChanges({ limit: 2 });
    expect(changes.map(({ subject, command }) => [subject, command])).toEqual([
      [`brownout ${id}`, 'deprecations cancel'],
      [`brownout ${id}`, 'deprecations brownout'],
    ]);
    const expected = services.map(() => ['brownout began', 'brownout ended']);
    await eventually(() => Bun.deepEquals(logged(id), expected));
  });

  test('the report shows the requests of all instances', async () => {
    const { id, secret: own } = await makeKey(settings, 'caller');
    const headers = { Authorization: `Bearer ${own}` };
    for (const { started } of services) await fetch(`${started.api}/pets/1`, { headers });
    await eventually(async () => {
      const [report] = await runJson<{ callers: object[] }[]>(settings, 'deprecations');
      const wanted = { account: 'caller', key: id, lastDay: services.length };
      return report?.callers.some((caller) => Bun.deepMatch(wanted, caller)) ?? false;
    });
  });

  test('a brownout in the future is listed, changes nothing yet and can be cancelled', async () => {
    const { stdout } = await deprecations('brownout', 'getPet', '--at', '2h', '--for', '1h');
    const [, id = '', start = ''] =
      /^Scheduled brownout (\d+): getPet returns 410 from (\S+) to \S+\.\n/.exec(stdout) ?? [];
    expect(stdout).toContain('\n"deprecations cancel" cancels it.\n');
    expect(await stateOf(Number(id))).toBe('planned');
    expect((await callAll('/pets/1')).map(({ status }) => status)).not.toContain(410);
    const list = (await deprecations('brownouts')).stdout.split('\n');
    expect(list[0]).toMatch(/^ *ID +OPERATION +STATE +START +END$/);
    expect(list.find((line) => line.trim().startsWith(`${id} `))).toMatch(
      new RegExp(`^ *${id} +getPet +planned +${start} +20\\S+Z$`),
    );
    expect((await deprecations('cancel', id)).stdout).toBe(
      `Cancelled brownout ${id} of getPet, which would have begun at ${start}.\n`,
    );
    expect((await deprecations('cancel', id)).stderr).toBe(
      `Brownout ${id} was already cancelled.\n`,
    );
  });
});

test('deprecations shows the keys that call getPet, those with the most requests first', async () => {
  const settings = { DATABASE_URL: `sqlite:${join(folder.path, 'report.db')}` };
  const removal = /^getPet will be removed on 2030-12-05, in [\d,]+ days\.\n/;
  const { id: few } = await makeKey(settings, 'few');
  const { id: many } = await makeKey(settings, 'many');
  const none = await run(settings, 'deprecations');
  expect(none.stdout).toMatch(removal);
  expect(none.stdout).toEndWith('\nNo requests for it are on record.\n');
  const hourMs = Math.floor(Date.now() / 3_600_000) * 3_600_000;
  const use = (keyId: number, days: number, served: number, operation = 'getPet') => {
    const atMs = hourMs - days * 86_400_000;
    return anHour({
      ...{ accountId: keyId, keyId, operation, served },
      ...{ hourMs: atMs, firstAtMs: atMs, lastAtMs: atMs + 1_000 },
    });
  };
  {
    await using store = await openStore(settings.DATABASE_URL);
    const older = [use(many, 3, 20), use(many, 20, 1_000), use(many, 40, 7), use(few, 0, 3)];
    const hours = [...older, use(many, 0, 1), use(few, 1, 99, 'listPets')];
    await store.history.add({ writer: 'w', number: 1, hours });
  }
  const [report] = await runJson<object[]>(settings, 'deprecations');
  const time = (days: number) =>
    new Date(hourMs - days * 86_400_000).toISOString().replace('.000', '');
  const seen = { label: '', lastSeenAt: time(0).replace('00Z', '01Z') };
  expect(report).toEqual({
    ...{ operation: 'getPet', removedOn: '2030-12-05' },
    daysLeft: Math.ceil((Date.UTC(2030, 11, 5) - Date.now()) / 86_400_000),
    callers: [
      {
        ...{ account: 'many', key: many, ...seen, firstSeenAt: time(40) },
        ...{ lastDay: 1, lastWeek: 21, lastMonth: 1_021 },
      },
      {
        ...{ account: 'few', key: few, ...seen, firstSeenAt: time(0) },
        ...{ lastDay: 3, lastWeek: 3, lastMonth: 3 },
      },
    ],
  });
  const { stdout } = await run(settings, 'deprecations', '--database', settings.DATABASE_URL);
  expect(stdout).toMatch(removal);
  const [headings = '', first] = stdout.split('\n').slice(2);
  expect(headings).toMatch(/^ACCOUNT +KEY +LABEL +LAST DAY +WEEK +MONTH +FIRST SEEN +LAST SEEN$/);
  expect(first).toMatch(new RegExp(`^many +${many} +1 +21 +1,021 +${time(40)} +20\\S+Z$`));
});

test.each([
  ['listPets --at 2h --for 15m', 'Only a deprecated operation can have a brownout: getPet, not'],
  ['getPet --for 15m', 'Say when the brownout begins: add --at, or --now to begin at once.'],
  ['getPet --at 59m --for 15m', 'A brownout begins at least an hour from now, unless'],
  ['getPet --at 2027-01-31 --for 15m', 'The start must be a duration from now (2h) or a time'],
  ['getPet --at 2h --for soon', 'A duration is a number and a unit (s, m, h or d)'],
])('brownout %s is refused', async (words, message) => {
  const { exitCode, stderr } = await run({}, 'deprecations', 'brownout', ...words.split(' '));
  expect([exitCode, stderr.startsWith(message)]).toEqual([1, true]);
});

test('a misspelt command is an error that names it', async () => {
  const { exitCode, stderr } = await run({}, 'deprecations', 'cancle', '1');
  expect([exitCode, stderr]).toEqual([
    1,
    'Unknown command "cancle". "deprecations --help" shows all commands.\n',
  ]);
});
