import { describe, expect, test } from 'bun:test';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { Clock } from '../support/clock.ts';
import { checkSmallServer } from './check-small-server.ts';
import { answering, hasStatus, withText } from './faults.ts';
import { startSmallServer } from './small-server.ts';

/** One check alone asks for this, and an honest server refuses it. */
const ODD_PATH = '/pets/conformance';
const ODD_CHECK = 'getPet.petId.integer';
const isOdd = (_: Response, { url }: Request) => url.endsWith(ODD_PATH);

const FAULTS = [
  {
    name: 'sends without end',
    came: 'a body of more than 10 MiB',
    fault: answering(isOdd, ({ headers }) => new Response(endless(), { status: 400, headers })),
  },
  {
    name: 'sends a beginning and then nothing',
    came: 'no whole answer within 2 s',
    fault: answering(isOdd, ({ headers }) => new Response(stalling(), { status: 400, headers })),
  },
  {
    name: 'never answers',
    came: 'no whole answer within 2 s',
    fault: answering(isOdd, () => new Promise<Response>(() => {})),
  },
];

describe('a server that', () => {
  test.each(FAULTS)('$name fails at that one request', async ({ came, fault }) => {
    const { results, failedIds } = await checkSmallServer({ fault }, { timeoutMs: 2_000 });
    expect(failedIds).toEqual([ODD_CHECK]);
    expect(results.find(({ id }) => id === ODD_CHECK)).toMatchObject({
      expected: 'an answer',
      came,
    });
  });

  test('closes the connection fails at that one request', async () => {
    const clock = new Clock();
    using small = startSmallServer({ clock });
    await using front = await closingProxy(small.url, [ODD_PATH]);
    const { failedIds, results } = await checkSmallServer({ clock }, { baseUrl: front.url });
    expect(failedIds).toEqual([ODD_CHECK]);
    expect(results.find(({ id }) => id === ODD_CHECK)).toMatchObject({
      came: 'no whole answer (ECONNRESET)',
    });
  });

  test('sends half of its JSON has no list', async () => {
    const fault = answering(
      hasStatus(200),
      withText((text) => text.slice(0, -1)),
    );
    const { failedIds } = await checkSmallServer({ fault });
    expect(failedIds).toContain('listPets.array');
    expect(failedIds).not.toContain('listPets.listed');
  });

  test('redirects is not followed', async () => {
    const fault = answering(
      ({ status }, { url }) => status === 200 && url.endsWith('/pets'),
      ({ headers }) => {
        headers.set('Location', '/v1/pets?limit=20');
        return new Response(null, { status: 307, headers });
      },
    );
    const { failedIds } = await checkSmallServer({ fault });
    expect(failedIds).toEqual([
      'listPets.listed',
      'listPets.array',
      'listPets.limit.default',
      'authentication.accepted.listPets',
    ]);
  });

  test('is silent now and then is checked to the end', async () => {
    const clock = new Clock();
    using small = startSmallServer({ clock });
    const silent = ['limit=-1', 'limit=abc', 'status=lost', '/pets/9223372036854775807', ODD_PATH];
    await using front = await closingProxy(small.url, silent);
    const { failedIds } = await checkSmallServer({ clock }, { baseUrl: front.url });
    expect(failedIds).toEqual([
      'listPets.limit.belowMinimum',
      'listPets.limit.integer',
      'listPets.status.values',
      'getPet.notFound',
      ODD_CHECK,
    ]);
  });

  test('stops answering ends the run after five silences', async () => {
    const clock = new Clock();
    using small = startSmallServer({ clock });
    await using front = await closingProxy(small.url, ['POST ']);
    const options = { baseUrl: front.url, freeKey: undefined };
    const { stopped, failedIds, results } = await checkSmallServer({ clock }, options);
    expect(stopped).toBe(
      'The service has stopped answering: no whole answer (ECONNRESET), 5 times in a row.',
    );
    expect(failedIds).toContain('resources.newPet.name.string');
    expect(failedIds).not.toContain('resources.newPet.categoryId.required');
    expect(results.find(({ id }) => id === 'createPet.body.json')).toMatchObject({
      reason: stopped,
    });
  });
});

function endless(): ReadableStream<Uint8Array> {
  const megabyte = new Uint8Array(1024 * 1024).fill(0x20);
  return new ReadableStream({ pull: (controller) => controller.enqueue(megabyte) });
}

function stalling(): ReadableStream<Uint8Array> {
  const { promise } = Promise.withResolvers<void>();
  return new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"code":')),
    pull: () => promise,
  });
}

/** Passes everything on, and hangs up on requests that have one of some words in them. */
async function closingProxy(target: string, words: readonly string[]) {
  const { hostname, port } = new URL(target);
  const proxy = createServer((caller) => {
    const server = connect(Number(port), hostname);
    caller.on('data', (data) => {
      if (words.some((word) => data.includes(word))) caller.destroy();
      else server.write(data);
    });
    server.pipe(caller);
    caller.on('error', () => {});
    caller.on('close', () => server.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port: ours } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${ours}/v1`,
    [Symbol.asyncDispose]: async () => void proxy.close(),
  };
}
