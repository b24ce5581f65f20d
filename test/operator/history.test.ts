import { expect, test } from 'bun:test';
import { OUTCOMES, type OutcomeCounts } from '../../src/domain/operator/history.ts';
import { BACKENDS, newSettings } from '../support/backends.ts';
import { makeKey, runJson, type Settings, serve } from '../support/command.ts';
import { amount } from '../support/long.ts';
import { backend, TEST_ORIGIN } from '../support/open-store.ts';

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
  ['createPet', '/pets', { method: 'POST', body: '{"name":"Rex","categoryId":1}' }],
  ['unknown', '/nothing'],
];

const REFUSALS: Readonly<Record<string, keyof OutcomeCounts>> = {
  rate_limit_minute: 'refusedByMinute',
  rate_limit_day: 'refusedByDay',
  api_key_banned: 'refusedByBan',
};

interface Key {
  readonly id: number;
  readonly secret: string;
}

/** Requests by key, operation and outcome. */
type Counts = Record<string, number>;

function add(counts: Counts, place: string, requests = 1): void {
  if (requests > 0) counts[place] = (counts[place] ?? 0) + requests;
}

/** Sends a request, and returns the place where it counts. */
async function send(api: string, { id, secret }: Key, index: number): Promise<string> {
  const [operation, path, init] = REQUESTS[index % REQUESTS.length] ?? ['', ''];
  const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${api}${path}`, { ...init, headers });
  const { code = '' } = (await response.json()) as { code?: string };
  return `${id} ${operation} ${response.ok ? 'served' : (REFUSALS[code] ?? 'clientErrors')}`;
}

async function readHistory({ DATABASE_URL = '' }: Settings): Promise<Counts> {
  await using store = await backend(DATABASE_URL).openForCommand(TEST_ORIGIN);
  const counts: Counts = {};
  for await (const period of store.history.read({ sinceMs: 0 })) {
    const { keyId, operation } = period;
    for (const outcome of OUTCOMES)
      add(counts, `${keyId} ${operation} ${outcome}`, period[outcome]);
  }
  return counts;
}

test.each(BACKENDS)('the history on %s is exactly what clients counted', async (name) => {
  const settings = await newSettings(name);
  const keys: Key[] = [];
  for (const [index, limits] of LIMITS.entries()) {
    keys.push(await makeKey(settings, `account ${index}`, 'enterprise', limits));
  }
  keys.push(await runJson<Key>(settings, 'keys', 'create', 'account 0'));
  await using running = new AsyncDisposableStack();
  const instances = name === 'SQLite' ? 1 : 2;
  const services = await Promise.all(Array.from({ length: instances }, () => serve(settings)));
  for (const service of services) running.use(service);

  const sent: Counts = {};
  const clients = keys.flatMap((key) =>
    services.flatMap(({ started }) =>
      Array.from({ length: CLIENTS_PER_KEY }, async (_, client) => {
        for (let index = 0; index < REQUESTS_PER_CLIENT; index++) {
          add(sent, await send(started.api, key, client + index));
        }
      }),
    ),
  );
  await Promise.all(clients);
  for (const service of services) service.kill('SIGTERM');
  expect(await Promise.all(services.map(({ exited }) => exited))).toEqual(services.map(() => 0));
  expect(await readHistory(settings)).toEqual(sent);
  for (const outcome of ['served', 'clientErrors', 'refusedByMinute', 'refusedByDay']) {
    expect(Object.keys(sent).join()).toContain(outcome);
  }
});
