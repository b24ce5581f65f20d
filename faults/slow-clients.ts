import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { BODY_DEADLINE_SECONDS } from '../src/contract/api.ts';
import { type ApiCaller, apiCaller } from '../test/support/api-caller.ts';
import { eventually, makeKey, type Serving, serve } from '../test/support/command.ts';
import { heldConnections } from '../test/support/held-connections.ts';
import { requireProgram } from '../test/support/programs.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { atLeast, atMost, type Fault, type Finding, none, type Trial } from './fault.ts';

const GOOD_CLIENTS = 4;
/** In the short form, the attack ends after this many requests of good clients. */
const SHORT_REQUESTS = 200;
const BYTE_EVERY_MS = 1_000;
const IDLE_SECONDS = 30;
/** A slow body gets its 408, and its connection is then idle. Doubled for a busy machine. */
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

  get findings(): Finding[] {
    return [
      none('failed requests of good clients', this.failed),
      atLeast(1, 'requests of good clients served', this.served),
    ];
  }
}

/** A service with large pages, and a key for it. */
async function attack(
  run: (service: Serving, secret: string, good: GoodClients) => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  using folder = temporaryFolder();
  const settings = { DATABASE_URL: `sqlite:${join(folder.path, 'store.db')}` };
  const { secret } = await makeKey(settings, 'client');
  await using service = await serve(settings);
  const caller = apiCaller(service.started.api, secret);
  // On one connection, so that no others stay idle.
  for (let added = 0; added < 100; added++) await (await caller.add(LARGE_NAME)).text();
  await using good = new GoodClients(caller);
  const findings = await run(service, secret, good);
  await good[Symbol.asyncDispose]();
  return [...good.findings, ...findings];
}

type Behaviour = (secret: string) => {
  /** What the client sends at once. */
  readonly start: string;
  /** What it sends from then on, every second. */
  readonly repeat?: string;
  readonly reads?: false;
};

const HEAD = 'GET /v1/pets?limit=100 HTTP/1.1\r\nHost: x\r\n';
const CREATION =
  'POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n';

const authorization = (secret: string) => `Authorization: Bearer ${secret}\r\n`;

const BEHAVIOURS: readonly Behaviour[] = [
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
    { start, repeat, reads }: ReturnType<Behaviour>,
    firstAfterMs: number,
    onConnected: () => void,
  ) {
    const socket = connect({ host: '127.0.0.1', port });
    this.#socket = socket;
    // The service resets some of them, which is the purpose of the attack.
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
  title: 'Clients that send nothing, send heads or bodies byte by byte, or do not read',
  unit: 'connections',
  amounts: { full: 1_000, short: 60 },
  run: ({ amount, random, step }) =>
    attack(async ({ started }, secret, good) => {
      const port = Number(new URL(started.api).port);
      const ports = new Set<number>();
      using clients = new DisposableStack();
      const startMs = performance.now();
      for (let index = 0; index < amount; index++) {
        const behaviour = BEHAVIOURS[Math.floor(random() * BEHAVIOURS.length)] as Behaviour;
        const client = clients.use(
          new SlowClient(port, behaviour(secret), random() * BYTE_EVERY_MS, () => {
            ports.add(client.port);
          }),
        );
      }
      await eventually(() => ports.size === amount);
      const held = () => [...heldConnections(port)].filter((each) => ports.has(each)).length;
      const stepTo = countedSteps(amount, step);
      if (amount < slowClients.amounts.full) {
        const enough = good.served + SHORT_REQUESTS;
        await eventually(() => good.served + good.failed >= enough);
        clients.dispose();
        await eventually(() => held() === 0);
        stepTo(amount);
        return [];
      }
      await eventually(() => {
        stepTo(amount - held());
        return held() === 0 || performance.now() - startMs > 2_000 * LONGEST_SECONDS;
      });
      const seconds = Math.round((performance.now() - startMs) / 1000);
      return [
        none('slow clients still connected', held()),
        atMost(LONGEST_SECONDS, 'seconds until the service had closed the last of them', seconds),
      ];
    }),
};

/** Turns a total into steps. */
function countedSteps(amount: number, step: Trial['step']): (total: number) => void {
  let counted = 0;
  return (total) => {
    const reached = Math.min(amount, total);
    if (reached > counted) step(reached - counted);
    counted = Math.max(counted, reached);
  };
}

/** Slow heads, slow bodies and slow reading, with the options of slowhttptest. */
const MODES = {
  heads: ['-H', '-i', '1', '-x', '8'],
  bodies: ['-B', '-i', '1', '-x', '8', '-s', '60000', '-f', 'application/json'],
  reads: ['-X', '-n', '1', '-z', '1', '-w', '1', '-y', '64', '-k', '3'],
};

export const slowhttptest: Fault = {
  name: 'slowhttptest',
  title: '`slowhttptest` with slow heads, slow bodies and slow reading, one after the other',
  unit: 'connections',
  amounts: { full: 3_000, short: 60 },
  run: ({ amount, step }) =>
    attack(async ({ started }, secret, good) => {
      const program = requireProgram('slowhttptest');
      const isShort = amount < slowhttptest.amounts.full;
      const port = Number(new URL(started.api).port);
      const modes = Object.entries(MODES);
      const each = amount / modes.length;
      const held = () => heldConnections(port).size - GOOD_CLIENTS;
      const findings: Finding[] = [];
      for (const [name, mode] of modes) {
        // It has no option for other headers, but sends the cookie as it is.
        const cookie = ['-j', `a=b\r\n${authorization(secret).trim()}`];
        const target = ['-u', `${started.api}/pets?limit=100`, '-l', `${2 * LONGEST_SECONDS}`];
        const rate = ['-c', `${each}`, '-r', `${each}`, '-p', `${LONGEST_SECONDS}`];
        const child = Bun.spawn([program, ...mode, ...cookie, ...target, ...rate], {
          stdout: 'ignore',
          stderr: 'inherit',
        });
        await using _ = { [Symbol.asyncDispose]: () => stop(child) };
        const startMs = performance.now();
        const enough = good.served + SHORT_REQUESTS / modes.length;
        await eventually(() => held() > each / 2);
        await eventually(() => (isShort ? good.served + good.failed > enough : held() <= 0));
        const seconds = Math.round((performance.now() - startMs) / 1000);
        const promise = `seconds until slow ${name} were closed`;
        if (!isShort) findings.push(atMost(LONGEST_SECONDS, promise, seconds));
        step(each);
      }
      await eventually(() => held() <= 0);
      return findings;
    }),
};

async function stop(child: Bun.Subprocess): Promise<void> {
  child.kill();
  await child.exited;
}
