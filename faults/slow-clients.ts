import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { BODY_DEADLINE_SECONDS } from '#contract/api.ts';
import { serveWithKey } from '../test/support/command.ts';
import type { ApiCaller } from '../test/support/http.ts';
import { eventually } from '../test/support/time.ts';
import { atLeast, atMost, type Fault, type Finding, none } from './fault.ts';
import { pick } from './random.ts';

/** Only Linux has this table of connections. */
const CONNECTION_TABLE = '/proc/net/tcp';
const ESTABLISHED = '01';

const GOOD_CLIENTS = 4;
/** In the short form, the attack ends after this many requests of good clients. */
const SHORT_REQUESTS = 200;
const BYTE_EVERY_MS = 1_000;
const IDLE_SECONDS = 30;
/**
 * A client with a slow body gets a 408 after `BODY_DEADLINE_SECONDS`, which closes its connection. Any other slow
 * client is disconnected once it is idle for `IDLE_SECONDS`. The sum is doubled, because the machine may be busy.
 */
const LONGEST_SECONDS = 2 * (BODY_DEADLINE_SECONDS + IDLE_SECONDS);
const LARGE_NAME = '🐈'.repeat(255);

/** Sends one request after the other, as ordinary clients do. */
class GoodClients implements AsyncDisposable {
  served = 0;
  failed = 0;
  #isOver = false;
  readonly #clients: Promise<unknown>;

  constructor(caller: ApiCaller) {
    this.#clients = Promise.all(Array.from({ length: GOOD_CLIENTS }, () => this.#repeat(caller)));
  }

  async #repeat({ add, get }: ApiCaller): Promise<void> {
    for (let count = 0; !this.#isOver; count++) {
      const sent = count % 2 === 0 ? add(`${count}`) : get('/pets?limit=1');
      const isServed = await sent.then(
        ({ ok, body }) => body?.cancel().then(() => ok),
        () => false,
      );
      if (isServed) this.served++;
      else this.failed++;
      await Bun.sleep(10);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.#clients;
  }
}

type Behavior = (secret: string) => {
  /** What the client sends at once. */
  readonly start: string;
  /** What the client sends every second from then on. */
  readonly repeat?: string;
  readonly reads?: false;
};

const HEAD = 'GET /v1/pets?limit=100 HTTP/1.1\r\nHost: x\r\n';
const CREATION =
  'POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n';

const authorization = (secret: string) => `Authorization: Bearer ${secret}\r\n`;

const BEHAVIORS: readonly Behavior[] = [
  () => ({ start: '' }),
  () => ({ start: `${HEAD}X-Slow: `, repeat: 'x' }),
  (secret) => ({ start: `${HEAD}${authorization(secret)}\r\n${HEAD}X-Slow: `, repeat: 'x' }),
  (secret) => ({ start: `${CREATION}${authorization(secret)}\r\n`, repeat: ' ' }),
  () => ({ start: `${CREATION}\r\n`, repeat: ' ' }),
  (secret) => ({ start: `${HEAD}${authorization(secret)}\r\n`.repeat(20), reads: false }),
  (secret) => ({ start: `${HEAD}${authorization(secret)}\r\n` }),
];

class SlowClient implements Disposable {
  readonly #socket: Socket;
  #timer: Timer | undefined;

  constructor(
    port: number,
    { start, repeat, reads }: ReturnType<Behavior>,
    firstAfterMs: number,
    onConnected: () => void,
  ) {
    const socket = connect({ host: '127.0.0.1', port });
    this.#socket = socket;
    // The service resets some of these connections, which is the purpose of the attack.
    socket.on('error', () => {});
    socket.on('close', () => clearTimeout(this.#timer));
    socket.on('connect', () => {
      onConnected();
      socket.write(start);
    });
    if (reads === false) socket.pause();
    else socket.resume();
    if (repeat === undefined) return;
    const sendByte = () => {
      socket.write(repeat);
      this.#timer = setTimeout(sendByte, BYTE_EVERY_MS);
    };
    this.#timer = setTimeout(sendByte, firstAfterMs);
  }

  get port(): number {
    return this.#socket.localPort ?? 0;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#socket.destroy();
  }
}

export const slowClients: Fault = {
  name: 'slow-clients',
  title: 'Clients that send nothing, send headers or bodies byte by byte, or do not read responses',
  unit: 'connections',
  amounts: { full: 1_000, short: 60 },
  async run({ amount, random }) {
    await using service = await serveWithKey();
    const { secret, started } = service;
    // These pets make pages large. They are added on one connection, so that no other stays idle.
    for (let added = 0; added < 100; added++) await (await service.add(LARGE_NAME)).text();
    await using good = new GoodClients(service);
    const port = Number(new URL(started.api).port);
    const ports = new Set<number>();
    using clients = new DisposableStack();
    const startMs = performance.now();
    for (let index = 0; index < amount; index++) {
      const behavior = pick(BEHAVIORS, random)(secret);
      const client = clients.use(
        new SlowClient(port, behavior, random() * BYTE_EVERY_MS, () => ports.add(client.port)),
      );
    }
    await eventually(() => ports.size === amount);
    const held = () => [...heldConnections(port)].filter((each) => ports.has(each)).length;
    const findings: Finding[] = [];
    if (amount < slowClients.amounts.full) {
      const enough = good.served + SHORT_REQUESTS;
      await eventually(() => good.served + good.failed >= enough);
      clients.dispose();
      await eventually(() => held() === 0);
    } else {
      const isOver = () => performance.now() - startMs > 2_000 * LONGEST_SECONDS;
      await eventually(() => held() === 0 || isOver());
      const seconds = Math.round((performance.now() - startMs) / 1000);
      findings.push(
        none('slow clients still connected', held()),
        atMost(
          LONGEST_SECONDS,
          'seconds until the service had disconnected all slow clients',
          seconds,
        ),
      );
    }
    await good[Symbol.asyncDispose]();
    return [
      none('failed requests of well-behaved clients', good.failed),
      atLeast(1, 'served requests of well-behaved clients', good.served),
      ...findings,
    ];
  },
};

/** The ports of the clients whose connections the server on this port keeps open. */
function heldConnections(serverPort: number): ReadonlySet<number> {
  const held = new Set<number>();
  for (const line of readFileSync(CONNECTION_TABLE, 'utf8').split('\n').slice(1)) {
    const [, local = '', remote = '', state] = line.trim().split(/\s+/);
    if (state === ESTABLISHED && portOf(local) === serverPort) held.add(portOf(remote));
  }
  return held;
}

function portOf(address: string): number {
  return Number.parseInt(address.split(':')[1] ?? '', 16);
}
