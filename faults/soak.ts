import { join } from 'node:path';
import { makeKey, runJson, type Serving, serve } from '../test/support/command.ts';
import { HttpConnection } from '../test/support/http-connection.ts';
import { openFiles } from '../test/support/process-usage.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { type Clients, everydayRequest } from './everyday-requests.ts';
import { atMost, type Fault, none } from './fault.ts';
import { MemoryTrend } from './memory-trend.ts';
import { ownRandom, type Random } from './random.ts';

const FULL = 1_000_000;
/** After each, every client disconnects and the service is idle. */
const PARTS = 100;
const CLIENTS = 32;
/** More than the caches hold, so that new pets take no more memory. */
const SEEDED_PETS = 50_000;
const RECONNECT_SHARE = 0.02;
const HANG_UP_SHARE = 0.3;
const MAX_DRIFT_PERCENT = 5;
/** Only a leak takes longer. */
const MAX_CLOSING_MS = 60_000;
const UNLIMITED = { perMinute: 100_000_000, perDay: 100_000_000 };

interface Outcomes {
  serverErrors: number;
  unexpected: number;
}

/** A client that sends one request after another, and reconnects now and then. */
async function useService(
  api: string,
  requests: number,
  clients: Clients,
  random: Random,
  outcomes: Outcomes,
): Promise<void> {
  let connection = await HttpConnection.open(api);
  try {
    for (let sent = 0; sent < requests; sent++) {
      const { text, expected } = everydayRequest(clients, random);
      const [status = 0] = await connection.exchange(text);
      if (status >= 500) outcomes.serverErrors++;
      else if (!expected.includes(status)) outcomes.unexpected++;
      if (random() >= RECONNECT_SHARE) continue;
      if (random() < HANG_UP_SHARE) await connection.abandon(text);
      else await connection[Symbol.asyncDispose]();
      connection = await HttpConnection.open(api);
    }
  } finally {
    await connection[Symbol.asyncDispose]();
  }
}

/** Waits until the service has closed the connections of clients that hung up. */
async function filesLeftOpen({ pid }: Serving, openAtStart: number): Promise<number> {
  const deadline = performance.now() + MAX_CLOSING_MS;
  while (openFiles(pid) > openAtStart && performance.now() < deadline) await Bun.sleep(20);
  return Math.max(0, openFiles(pid) - openAtStart);
}

export const soak: Fault = {
  name: 'soak',
  title: 'Everyday requests, with mistakes, reconnects and clients that hang up',
  unit: 'requests',
  amounts: { full: FULL, short: 10_000 },
  async run({ amount, random, step }) {
    using folder = temporaryFolder();
    const settings = {
      DATABASE_URL: `sqlite:${join(folder.path, 'store.db')}`,
      TRUSTED_PROXIES: '1',
    };
    const { secret } = await makeKey(settings, 'customer', 'enterprise', UNLIMITED);
    const { secret: freeSecret } = await makeKey(settings, 'free', 'free');
    await runJson(settings, 'pets', 'seed', '--count', String(SEEDED_PETS));
    const clients = { secret, freeSecret, pets: SEEDED_PETS };
    await using service = await serve(settings);
    const openAtStart = openFiles(service.pid);
    const memory = new MemoryTrend(service.pid, amount);
    const outcomes = { serverErrors: 0, unexpected: 0 };
    const randoms = Array.from({ length: CLIENTS }, () => ownRandom(random));
    let done = 0;
    for (let part = 1; part <= PARTS; part++) {
      const requests = Math.floor((amount * part) / PARTS) - done;
      await Promise.all(
        randoms.map((ownRandom, client) => {
          const share = Math.floor((requests + client) / CLIENTS);
          return useService(service.started.api, share, clients, ownRandom, outcomes);
        }),
      );
      done += requests;
      step(requests);
      memory.sample(done);
    }
    return [
      none('responses with a 5xx status', outcomes.serverErrors),
      none('other responses with a wrong status', outcomes.unexpected),
      none('files left open', await filesLeftOpen(service, openAtStart)),
      // A short run ends before the memory of the service has settled.
      ...(amount < FULL
        ? []
        : [
            atMost(
              MAX_DRIFT_PERCENT,
              '% of memory added after the first tenth',
              memory.grownPercent,
            ),
          ]),
    ];
  },
};
