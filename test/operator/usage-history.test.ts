import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  OUTCOMES,
  type OutcomeCounts,
  type PeriodOfUse,
} from '../../src/domain/operator/usage-history.ts';
import { eventually, makeKey, runJson, type Settings, serve } from '../support/command.ts';
import { amount } from '../support/long.ts';
import { startBackends } from '../support/new-settings.ts';
import { backend, TEST_ORIGIN } from '../support/open-store.ts';

/** Compares the counts of clients with the history that real instances wrote. */

let backends: Awaited<ReturnType<typeof startBackends>>;
beforeAll(async () => {
  backends = await startBackends();
});
afterAll(() => backends[Symbol.asyncDispose]());

const CLIENTS_PER_KEY = 2;
const REQUESTS_PER_CLIENT = amount(60, 3_000);

/** The headers of the first two accounts report the minute. */
const LIMITS = [
  { perMinute: 1_000_000, perDay: 2_000_000 },
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
  readonly accountId: number;
  readonly keyId: number;
  readonly operation: string;
  readonly outcome: keyof OutcomeCounts;
  readonly atMs: number;
  /** In the window of the headers. */
  readonly used: number;
}

interface Key {
  readonly id: number;
  readonly secret: string;
  readonly accountId: number;
}

async function send(
  api: string,
  { id: keyId, secret, accountId }: Key,
  index: number,
): Promise<Sent> {
  const [operation, path, init] = REQUESTS[index % REQUESTS.length] ?? REQUESTS[0] ?? ['', ''];
  const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${api}${path}`, { ...init, headers });
  const { status } = response;
  const { code = '' } = (await response.json()) as { code?: string };
  // An id begins with the time at which the instance received the request.
  const id = response.headers.get('x-request-id') ?? '';
  const atMs = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
  const error = status < 500 ? 'clientErrors' : 'serverErrors';
  const header = (name: string) => Number(response.headers.get(`x-ratelimit-${name}`));
  const used = header('limit') - header('remaining');
  const outcome = status < 400 ? 'served' : (REFUSALS[code] ?? error);
  return { accountId, keyId, operation, atMs, outcome, used };
}

async function readAll({ DATABASE_URL = '' }: Settings): Promise<PeriodOfUse[]> {
  await using store = await backend(DATABASE_URL).openForCommand(TEST_ORIGIN);
  return await Array.fromAsync(store.history.read({ sinceMs: 0 }));
}

interface Row extends OutcomeCounts {
  readonly place: string;
}

const hourOf = (ms: number) => new Date(ms).toISOString().slice(0, 13);

/** The rows that the history should have for these requests. */
function expectedRows(sent: readonly Sent[]): Row[] {
  const byPlace = Map.groupBy(
    sent,
    ({ keyId, operation, atMs }) => `${keyId} ${operation} ${hourOf(atMs)}`,
  );
  return Array.from(byPlace, ([place, here]) => {
    const counts = OUTCOMES.map((outcome) => [
      outcome,
      here.filter((each) => each.outcome === outcome).length,
    ]);
    return { place, ...(Object.fromEntries(counts) as OutcomeCounts) };
  });
}

function actualRow(period: PeriodOfUse): Row {
  const { keyId, operation, startsAtMs } = period;
  const place = `${keyId} ${operation} ${hourOf(startsAtMs)}`;
  const counts = OUTCOMES.map((outcome) => [outcome, period[outcome]]);
  return { place, ...(Object.fromEntries(counts) as OutcomeCounts) };
}

/** The greatest count for each account and hour. */
function greatest(counts: readonly (readonly [accountId: number, ms: number, count: number])[]) {
  const most = new Map<string, number>();
  for (const [accountId, ms, count] of counts) {
    const place = `${accountId} ${hourOf(ms)}`;
    most.set(place, Math.max(most.get(place) ?? 0, count));
  }
  return Object.fromEntries(most);
}

const inOrder = (rows: readonly Row[]) => rows.toSorted((a, b) => (a.place < b.place ? -1 : 1));

test.each([
  ['four instances', 4, 'PostgreSQL and Redis'],
  ['the embedded service', 1, 'SQLite'],
] as const)(
  'the history of %s is exactly what clients counted',
  async (name, instances, backend) => {
    const settings = await backends.newSettings(backend);
    const keys: Key[] = [];
    for (const [index, limits] of LIMITS.entries()) {
      const key = await makeKey(settings, `account ${index}`, 'enterprise', limits);
      keys.push({ ...key, accountId: index + 1 });
    }
    const second = await runJson<Key>(settings, 'keys', 'create', 'account 0');
    keys.push({ ...second, accountId: 1 });
    await using running = new AsyncDisposableStack();
    const services = await Promise.all(Array.from({ length: instances }, () => serve(settings)));
    for (const service of services) running.use(service);

    const clients = keys.flatMap((key) =>
      services.flatMap(({ started }) =>
        Array.from({ length: CLIENTS_PER_KEY }, async (_, client) => {
          const sent: Sent[] = [];
          for (let index = 0; index < REQUESTS_PER_CLIENT; index++) {
            sent.push(await send(started.api, key, client + index));
          }
          return sent;
        }),
      ),
    );
    const sent = (await Promise.all(clients)).flat();
    for (const service of services) service.kill('SIGTERM');
    expect(await Promise.all(services.map(({ exited }) => exited))).toEqual(services.map(() => 0));

    const periods = await readAll(settings);
    expect(inOrder(periods.map(actualRow))).toEqual(inOrder(expectedRows(sent)));
    const ofMinute = ({ accountId }: { readonly accountId: number }) => accountId < 3;
    const admitted = sent.filter(({ outcome }) => !outcome.startsWith('refused'));
    expect(
      greatest(
        periods
          .filter(ofMinute)
          .map(({ accountId, startsAtMs, busiestMinute }) => [
            accountId,
            startsAtMs,
            busiestMinute,
          ]),
      ),
    ).toEqual(
      greatest(
        admitted.filter(ofMinute).map(({ accountId, atMs, used }) => [accountId, atMs, used]),
      ),
    );
    const total = (outcome: keyof OutcomeCounts) =>
      periods.reduce((sum, period) => sum + period[outcome], 0);
    for (const outcome of ['served', 'clientErrors', 'refusedByMinute', 'refusedByDay'] as const) {
      expect(total(outcome)).toBeGreaterThan(0);
    }
    expect(OUTCOMES.reduce((sum, outcome) => sum + total(outcome), 0)).toBe(sent.length);
    console.log(`${name}: ${sent.length} requests sent, ${sent.length} in the history`);
  },
);

test('an instance that is killed loses at most what it counted since its last batch', async () => {
  const settings = await backends.newSettings('PostgreSQL and Redis');
  const key = { ...(await makeKey(settings, 'unlucky')), accountId: 1 };
  await using victim = await serve(settings);
  await using other = await serve(settings);
  const sendAll = ({ started }: typeof victim, count: number) =>
    Promise.all(Array.from({ length: count }, () => send(started.api, key, 0)));
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
