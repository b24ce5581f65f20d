import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  OUTCOMES,
  type OutcomeCounts,
  type PeriodOfUse,
} from '../../src/domain/operator/usage-history.ts';
import { makeKey, runJson, type Settings, serve } from '../support/command.ts';
import { amount } from '../support/long.ts';
import { startBackends } from '../support/new-settings.ts';
import { backend, TEST_ORIGIN } from '../support/open-store.ts';
import { lacks } from '../support/programs.ts';

/** Compares the counts of clients with the history that real instances wrote. */

let backends: Awaited<ReturnType<typeof startBackends>>;
beforeAll(async () => {
  backends = await startBackends();
});
afterAll(() => backends[Symbol.asyncDispose]());

const LACKS_SHARED = lacks('postgres', 'redis-server');
const CLIENTS_PER_KEY = 2;
const REQUESTS_PER_CLIENT = amount(40, 3_000);

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
  readonly keyId: number;
  readonly operation: string;
  readonly outcome: keyof OutcomeCounts;
  readonly atMs: number;
}

interface Key {
  readonly id: number;
  readonly secret: string;
}

async function send(api: string, { id: keyId, secret }: Key, index: number): Promise<Sent> {
  const [operation, path, init] = REQUESTS[index % REQUESTS.length] ?? ['', ''];
  const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${api}${path}`, { ...init, headers });
  const { status } = response;
  const { code = '' } = (await response.json()) as { code?: string };
  // An id begins with the time at which the instance received the request.
  const id = response.headers.get('x-request-id') ?? '';
  const atMs = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
  const outcome = status < 400 ? 'served' : (REFUSALS[code] ?? 'clientErrors');
  return { keyId, operation, atMs, outcome };
}

async function readAll({ DATABASE_URL = '' }: Settings): Promise<PeriodOfUse[]> {
  await using store = await backend(DATABASE_URL).openForCommand(TEST_ORIGIN);
  return await Array.fromAsync(store.history.read({ sinceMs: 0 }));
}

const hourOf = (ms: number) => new Date(ms).toISOString().slice(0, 13);

/** How many requests of a key to an operation had an outcome in an hour. */
function count(each: readonly (readonly [place: string, times: number])[]) {
  const counts: Record<string, number> = {};
  for (const [place, times] of each) {
    if (times > 0) counts[place] = (counts[place] ?? 0) + times;
  }
  return counts;
}

const countSent = (sent: readonly Sent[]) =>
  count(
    sent.map(({ keyId, operation, atMs, outcome }) => [
      `${keyId} ${operation} ${hourOf(atMs)} ${outcome}`,
      1,
    ]),
  );

const countPeriods = (periods: readonly PeriodOfUse[]) =>
  count(
    periods.flatMap((period) =>
      OUTCOMES.map(
        (outcome) =>
          [
            `${period.keyId} ${period.operation} ${hourOf(period.startsAtMs)} ${outcome}`,
            period[outcome],
          ] as const,
      ),
    ),
  );

const HISTORIES = [
  ['the embedded service', 1, 'SQLite'],
  ['two instances', 2, 'PostgreSQL and Redis'],
] as const;

test.each(HISTORIES.slice(0, LACKS_SHARED ? 1 : 2))(
  'the history of %s is exactly what clients counted',
  async (_, instances, backend) => {
    const settings = await backends.newSettings(backend);
    const keys: Key[] = [];
    for (const [index, limits] of LIMITS.entries()) {
      keys.push(await makeKey(settings, `account ${index}`, 'enterprise', limits));
    }
    keys.push(await runJson<Key>(settings, 'keys', 'create', 'account 0'));
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
    const sent = countSent((await Promise.all(clients)).flat());
    for (const service of services) service.kill('SIGTERM');
    expect(await Promise.all(services.map(({ exited }) => exited))).toEqual(services.map(() => 0));
    expect(countPeriods(await readAll(settings))).toEqual(sent);
    for (const outcome of ['served', 'clientErrors', 'refusedByMinute', 'refusedByDay']) {
      expect(Object.keys(sent).join()).toContain(outcome);
    }
  },
);
