import { HttpConnection } from '../test/faults/http-connection.ts';
import { makeKey, runJson, type Serving, serve } from '../test/support/command.ts';
import { creationHead, head } from '../test/support/http.ts';
import { newFile } from '../test/support/temporary-folder.ts';
import { atMost, type Fault, none } from './fault.ts';
import { unknownKey } from './key-guessing.ts';
import { MemoryTrend } from './memory-trend.ts';
import { openFiles } from './process-usage.ts';
import { below, ownRandom, pick, type Random } from './random.ts';

const FULL = 1_000_000;
/** After each of these parts, every client disconnects and the service is idle. */
const PARTS = 100;
const CLIENTS = 32;
/** More pets than the caches hold, so that pets which are added later take no more memory. */
const SEEDED_PETS = 50_000;
const RECONNECT_SHARE = 0.02;
const HANG_UP_SHARE = 0.3;
const MAX_GROWTH_MB = 10;
/** The service needs more time than this to close connections only if it leaks them. */
const MAX_CLOSING_MS = 60_000;
const UNLIMITED = { perMinute: 100_000_000, perDay: 100_000_000 };

/** A request as written, and the statuses that are right for it. */
interface EverydayRequest {
  readonly text: string;
  readonly expected: readonly number[];
}

interface Keys {
  readonly secret: string;
  /** A key on the Free plan, which is over its limits most of the time. */
  readonly freeSecret: string;
}

function get(
  target: string,
  secret: string,
  expected: number[],
  ...headers: string[]
): EverydayRequest {
  const authorization = `Authorization: Bearer ${secret}`;
  return { text: head(`GET /v1${target} HTTP/1.1`, authorization, ...headers), expected };
}

function post(body: string, secret: string, status: number, ...headers: string[]): EverydayRequest {
  return { text: creationHead(secret, body, ...headers) + body, expected: [status] };
}

/** Everyday requests, including the usual mistakes. `share` says how many of 20 requests are of each kind. */
const EVERYDAY: readonly (readonly [
  share: number,
  (keys: Keys, random: Random) => EverydayRequest,
])[] = [
  [5, ({ secret }, random) => get(`/pets?limit=${1 + below(100, random)}`, secret, [200])],
  [3, ({ secret }) => get('/pets?status=sold&limit=20', secret, [200])],
  [2, ({ secret }, random) => get(`/pets?after=${below(SEEDED_PETS, random)}`, secret, [200])],
  [4, ({ secret }, random) => get(`/pets/${1 + below(SEEDED_PETS, random)}`, secret, [200])],
  [
    2,
    // The number gives the key and the body, so that a repeated key comes with the same body.
    ({ secret }, random) => {
      const number = below(20_000, random);
      const body = JSON.stringify({ name: `Pet ${number}`, categoryId: number });
      return post(body, secret, 201, `Idempotency-Key: everyday-${number}`);
    },
  ],
  // These come from few addresses, because the cache of addresses grows with every new one.
  [
    1,
    (_, random) => {
      const address = `X-Forwarded-For: 192.0.2.${below(250, random)}`;
      return get('/pets', unknownKey(random), [401, 429], address);
    },
  ],
  [1, ({ secret }) => get('/orders', secret, [404])],
  [1, ({ secret }) => post('{"name":', secret, 400)],
  [1, ({ freeSecret }) => get('/pets', freeSecret, [200, 429])],
];
const MAKERS = EVERYDAY.flatMap(([share, make]) => Array.from({ length: share }, () => make));

interface Outcomes {
  serverErrors: number;
  unexpected: number;
}

/** A client that sends one request after another, and reconnects now and then. */
async function useService(
  api: string,
  requests: number,
  keys: Keys,
  random: Random,
  outcomes: Outcomes,
): Promise<void> {
  let connection = await HttpConnection.open(api);
  try {
    for (let sent = 0; sent < requests; sent++) {
      const { text, expected } = pick(MAKERS, random)(keys, random);
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
  title: 'Everyday requests, including mistakes, reconnects and clients that hang up',
  unit: 'requests',
  amounts: { full: FULL, short: 10_000 },
  async run({ amount, random }) {
    const settings = { ...newFile().settings, TRUSTED_PROXIES: '1' };
    const { secret } = await makeKey(settings, 'customer', 'enterprise', UNLIMITED);
    const { secret: freeSecret } = await makeKey(settings, 'free', 'free');
    await runJson(settings, 'pets', 'seed', '--count', String(SEEDED_PETS));
    await using service = await serve(settings);
    const openAtStart = openFiles(service.pid);
    const memory = new MemoryTrend(service.pid, amount);
    const outcomes = { serverErrors: 0, unexpected: 0 };
    const keys = { secret, freeSecret };
    const clients = Array.from({ length: CLIENTS }, () => ownRandom(random));
    const perClient = Math.ceil(amount / PARTS / CLIENTS);
    for (let part = 1; part <= PARTS; part++) {
      await Promise.all(
        clients.map((own) => useService(service.started.api, perClient, keys, own, outcomes)),
      );
      memory.sample((amount * part) / PARTS);
    }
    const findings = [
      none('responses with a 5xx status', outcomes.serverErrors),
      none('other responses with a wrong status', outcomes.unexpected),
      none('files left open', await filesLeftOpen(service, openAtStart)),
    ];
    // A short run ends before the memory of the service has settled.
    if (amount === FULL) {
      findings.push(
        atMost(
          MAX_GROWTH_MB,
          'MB of memory added after the first tenth of the requests',
          memory.grownMb,
        ),
      );
    }
    return findings;
  },
};
