import { afterAll, beforeAll, expect, test } from 'bun:test';
import { accountSubject } from '../../src/domain/account.ts';
import {
  OUTCOMES,
  type OutcomeCounts,
  type PeriodOfUse,
} from '../../src/domain/operator/usage-history.ts';
import { minuteOffsetSeconds } from '../../src/domain/rate-limit.ts';
import { eventually, makeKey, type Settings, serve } from '../support/command.ts';
import { amount } from '../support/long.ts';
import { startBackends } from '../support/new-settings.ts';
import { backend, TEST_ORIGIN } from '../support/open-store.ts';

/** What clients counted, against the history that real instances wrote. */

let backends: Awaited<ReturnType<typeof startBackends>>;
beforeAll(async () => {
  backends = await startBackends();
});
afterAll(() => backends[Symbol.asyncDispose]());

const CLIENTS_PER_KEY = 2;
const REQUESTS_PER_CLIENT = amount(60, 3_000);

const LIMITS = [
  { perMinute: 1_000_000, perDay: 1_000_000 },
  { perMinute: 20, perDay: 1_000_000 },
  { perMinute: 1_000_000, perDay: 30 },
];

/** Each with its operation in the history. */
const REQUESTS: readonly (readonly [operation: string, path: string, init?: RequestInit])[] = [
  ['getPet', '/pets/1'],
  ['getPet', '/pets/999999999'],
  ['listPets', '/pets?limit=1'],
  ['listPets', '/pets?limit=none'],
  ['createPet', '/pets', { method: 'POST', body: '{"name":"Rex","categoryId":1}' }],
  ['unknown', '/nothing'],
  ['unknown', '/pets', { method: 'DELETE' }],
];

const REFUSALS: Readonly<Record<string, keyof OutcomeCounts>> = {
  rate_limit_minute: 'refusedByMinute',
  rate_limit_day: 'refusedByDay',
  api_key_banned: 'refusedByBan',
};

interface Sent {
  readonly operation: string;
  readonly outcome: keyof OutcomeCounts;
  readonly atMs: number;
}

async function send(api: string, secret: string, index: number): Promise<Sent> {
  const [operation, path, init] = REQUESTS[index % REQUESTS.length] ?? REQUESTS[0] ?? ['', ''];
  const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${api}${path}`, { ...init, headers });
  const { status } = response;
  const { code = '' } = (await response.json()) as { code?: string };
  // An id begins with the time at which the instance received the request.
  const id = response.headers.get('x-request-id') ?? '';
  const atMs = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
  const error = status < 500 ? 'clientErrors' : 'serverErrors';
  return { operation, atMs, outcome: status < 400 ? 'served' : (REFUSALS[code] ?? error) };
}

async function readAll({ DATABASE_URL = '' }: Settings): Promise<PeriodOfUse[]> {
  await using store = await backend(DATABASE_URL).openForCommand(TEST_ORIGIN);
  return await Array.fromAsync(store.history.read({ sinceMs: 0 }));
}

interface Row extends OutcomeCounts {
  readonly place: string;
  readonly busiestMinute: number;
}

/** The rows that the history should have for the requests of a key. */
function expectedRows(keyId: number, accountId: number, sent: readonly Sent[]): Row[] {
  const offsetMs = minuteOffsetSeconds(accountSubject({ id: accountId, resets: 0 })) * 1_000;
  const hourOf = ({ atMs }: Sent) => new Date(atMs).toISOString().slice(0, 13);
  const byPlace = Map.groupBy(sent, (each) => `${keyId} ${each.operation} ${hourOf(each)}`);
  return Array.from(byPlace, ([place, here]) => {
    const minutes = Map.groupBy(here, ({ atMs }) => Math.floor((atMs - offsetMs) / 60_000));
    const counts = OUTCOMES.map((outcome) => [
      outcome,
      here.filter((each) => each.outcome === outcome).length,
    ]);
    const busiestMinute = Math.max(...Array.from(minutes.values(), ({ length }) => length));
    return { place, busiestMinute, ...(Object.fromEntries(counts) as OutcomeCounts) };
  });
}

function actualRow(period: PeriodOfUse): Row {
  const { keyId, operation, startsAtMs, busiestMinute } = period;
  const place = `${keyId} ${operation} ${new Date(startsAtMs).toISOString().slice(0, 13)}`;
  const counts = OUTCOMES.map((outcome) => [outcome, period[outcome]]);
  return { place, busiestMinute, ...(Object.fromEntries(counts) as OutcomeCounts) };
}

const inOrder = (rows: readonly Row[]) => rows.toSorted((a, b) => (a.place < b.place ? -1 : 1));

test.each([
  ['four instances', 4, 'PostgreSQL and Redis'],
  ['the embedded service', 1, 'SQLite'],
] as const)(
  'the history of %s is exactly what clients counted',
  async (name, instances, backend) => {
    const settings = await backends.newSettings(backend);
    const keys = [];
    for (const [index, limits] of LIMITS.entries()) {
      const key = await makeKey(settings, `account ${index}`, 'enterprise', limits);
      keys.push({ ...key, accountId: index + 1 });
    }
    await using running = new AsyncDisposableStack();
    const services = await Promise.all(Array.from({ length: instances }, () => serve(settings)));
    for (const service of services) running.use(service);

    const rows = await Promise.all(
      keys.map(async ({ id, secret, accountId }) => {
        const clients = services.flatMap(({ started }) =>
          Array.from({ length: CLIENTS_PER_KEY }, async (_, client) => {
            const sent: Sent[] = [];
            for (let index = 0; index < REQUESTS_PER_CLIENT; index++) {
              sent.push(await send(started.api, secret, client + index));
            }
            return sent;
          }),
        );
        return expectedRows(id, accountId, (await Promise.all(clients)).flat());
      }),
    );
    for (const service of services) service.kill('SIGTERM');
    expect(await Promise.all(services.map(({ exited }) => exited))).toEqual(services.map(() => 0));

    const periods = await readAll(settings);
    expect(inOrder(periods.map(actualRow))).toEqual(inOrder(rows.flat()));
    const total = (outcome: keyof OutcomeCounts) =>
      periods.reduce((sum, period) => sum + period[outcome], 0);
    for (const outcome of ['served', 'clientErrors', 'refusedByMinute', 'refusedByDay'] as const) {
      expect(total(outcome)).toBeGreaterThan(0);
    }
    const sent = keys.length * services.length * CLIENTS_PER_KEY * REQUESTS_PER_CLIENT;
    expect(OUTCOMES.reduce((sum, outcome) => sum + total(outcome), 0)).toBe(sent);
    console.log(`${name}: ${sent} requests sent, ${sent} in the history`);
  },
);

test('an instance that is killed loses at most what it counted since its last batch', async () => {
  const settings = await backends.newSettings('PostgreSQL and Redis');
  const { secret } = await makeKey(settings, 'unlucky');
  await using victim = await serve(settings);
  await using other = await serve(settings);
  const sendAll = ({ started }: typeof victim, count: number) =>
    Promise.all(Array.from({ length: count }, () => send(started.api, secret, 0)));
  const served = async () =>
    (await readAll(settings)).reduce((sum, period) => sum + period.served + period.clientErrors, 0);
  await sendAll(victim, 40);
  await sendAll(other, 20);
  await eventually(async () => (await served()) === 60);
  await sendAll(victim, 10);
  victim.kill('SIGKILL');
  await victim.exited;
  await sendAll(other, 5);
  other.kill('SIGTERM');
  await other.exited;
  const inHistory = await served();
  expect(inHistory).toBeGreaterThanOrEqual(65);
  expect(inHistory).toBeLessThanOrEqual(75);
});
