import { expect, test } from 'bun:test';
import { OUTCOMES, type OutcomeCounts } from '../../src/domain/operator/history.ts';
import { apiCaller } from '../support/api-caller.ts';
import { BACKENDS, newSettings } from '../support/backends.ts';
import { makeKey, runJson, serve } from '../support/command.ts';
import { amount } from '../support/long.ts';
import { backend, TEST_ORIGIN } from '../support/open-store.ts';

const CLIENTS_PER_KEY = 2;
const REQUESTS_PER_CLIENT = amount(40, 3_000);

/** Two accounts are refused, by the minute and by the day. */
const LIMITS = [
  { perMinute: 1_000_000, perDay: 2_000_000 },
  { perMinute: 20, perDay: 1_000_000 },
  { perMinute: 1_000_000, perDay: 30 },
];

/** Each with its operation in the history. */
const REQUESTS: readonly (readonly [operation: string, path: string, body?: string])[] = [
  ['getPet', '/pets/1'],
  ['getPet', '/pets/999999999'],
  ['listPets', '/pets?limit=1'],
  ['createPet', '/pets', '{"name":"Rex","categoryId":1}'],
  ['unknown', '/nothing'],
];

const OUTCOME_OF: Readonly<Record<string, keyof OutcomeCounts>> = {
  rate_limit_minute: 'refusedByMinute',
  rate_limit_day: 'refusedByDay',
  api_key_banned: 'refusedByBan',
};

/** Requests by key, operation and outcome. */
class Counts {
  readonly byPlace: Record<string, number> = {};

  add(keyId: number, operation: string, outcome: keyof OutcomeCounts, requests = 1): void {
    const place = `${keyId} ${operation} ${outcome}`;
    if (requests > 0) this.byPlace[place] = (this.byPlace[place] ?? 0) + requests;
  }
}

test.each(BACKENDS)('the history on %s is exactly what clients counted', async (name) => {
  const settings = await newSettings(name);
  const keys = await Array.fromAsync(LIMITS, (limits, index) =>
    makeKey(settings, `account ${index}`, 'enterprise', limits),
  );
  keys.push(await runJson(settings, 'keys', 'create', 'account 0'));
  await using running = new AsyncDisposableStack();
  const instances = name === 'SQLite' ? 1 : 2;
  const services = await Promise.all(Array.from({ length: instances }, () => serve(settings)));
  for (const service of services) running.use(service);

  const sent = new Counts();
  const clients = keys.flatMap(({ id, secret }) =>
    services.flatMap(({ started }) =>
      Array.from({ length: CLIENTS_PER_KEY }, async (_, client) => {
        const { get, post } = apiCaller(started.api, secret);
        for (let index = 0; index < REQUESTS_PER_CLIENT; index++) {
          const [operation, path, body] = REQUESTS[(client + index) % REQUESTS.length] ?? ['', ''];
          const response = await (body === undefined ? get(path) : post(body));
          const { code = '' } = (await response.json()) as { code?: string };
          const outcome = response.ok ? 'served' : (OUTCOME_OF[code] ?? 'clientErrors');
          sent.add(id, operation, outcome);
        }
      }),
    ),
  );
  await Promise.all(clients);
  for (const service of services) service.kill('SIGTERM');
  expect(await Promise.all(services.map(({ exited }) => exited))).toEqual(services.map(() => 0));

  const stored = new Counts();
  await using store = await backend(settings['DATABASE_URL'] ?? '').openForCommand(TEST_ORIGIN);
  for await (const period of store.history.read({ sinceMs: 0 })) {
    for (const outcome of OUTCOMES) {
      stored.add(period.keyId, period.operation, outcome, period[outcome]);
    }
  }
  expect(stored).toEqual(sent);
  for (const outcome of ['served', 'clientErrors', 'refusedByMinute', 'refusedByDay']) {
    expect(Object.keys(sent.byPlace).join()).toContain(outcome);
  }
});
