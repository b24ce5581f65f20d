import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { BAN_RULES } from '#domain/ban.ts';

export type ApiCaller = ReturnType<typeof apiCaller>;

/** A caller of the API with a key. Ids are small enough for numbers. */
export function apiCaller(api: string, secret = '') {
  const authorization = { Authorization: `Bearer ${secret}` };
  const get = (path: string) => fetch(`${api}${path}`, { headers: authorization });
  const post = (body: BodyInit, headers?: Readonly<Record<string, string>>) =>
    fetch(`${api}/pets`, {
      method: 'POST',
      headers: { ...authorization, 'Content-Type': 'application/json', ...headers },
      body,
    });
  return {
    get,
    post,
    /** Posts a pet. */
    add: (name = 'Rex', key?: string) =>
      post(
        JSON.stringify({ name, categoryId: 1 }),
        key === undefined ? {} : { 'Idempotency-Key': key },
      ),
    /** Every pet after an id, page by page. Throws if a page cannot be read. */
    async *petsAfter(id: number) {
      for (let after = id; ; ) {
        const response = await get(`/pets?limit=100&after=${after}`);
        if (response.status !== 200) throw new Error(`The list responded ${response.status}`);
        const pets: { id: number; name: string }[] = await response.json();
        yield* pets;
        if (pets.length === 0) return;
        after = pets.at(-1)?.id ?? after;
      }
    },
    /** Sends requests, whatever their responses, until the key is banned. */
    async untilBanned(): Promise<void> {
      const isBanned = async () => (await (await get('/pets')).text()).includes('api_key_banned');
      // Refusals of the requests that a client may have in flight are not strikes.
      await Promise.all(Array.from({ length: BAN_RULES.mostInFlight }, isBanned));
      // It takes many refusals, within a minute.
      while (!(await isBanned())) await Bun.sleep(20);
    },
  };
}

type Chunk = string | Uint8Array;

/** A request line and headers, with the empty line that ends them. */
export function head(requestLine: string, ...headers: readonly string[]): string {
  return [requestLine, 'Host: localhost', ...headers, '', ''].join('\r\n');
}

/** The head of a request that creates a pet. Its body follows. */
export function creationHead(secret: string, body: string, ...headers: readonly string[]): string {
  const json = ['Content-Type: application/json', `Content-Length: ${body.length}`];
  return head('POST /v1/pets HTTP/1.1', `Authorization: Bearer ${secret}`, ...json, ...headers);
}

/** Sends raw bytes that `fetch` would not send, and returns everything received until the end. */
export function rawHttp(
  url: string,
  chunks: readonly Chunk[] | AsyncIterable<Chunk>,
): Promise<string> {
  const { protocol, hostname, port } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let received = '';
  const address = { host: hostname, port: Number(port) };
  const send = async () => {
    for await (const chunk of chunks) socket.write(chunk);
  };
  const socket: Socket =
    protocol === 'https:'
      ? connectTls({ ...address, rejectUnauthorized: false }, send)
      : connect(address, send);
  socket.on('data', (data) => {
    received += data.toString('latin1');
  });
  socket.on('error', reject);
  socket.on('close', () => resolve(received));
  return promise;
}

/** Starts a creation on a new connection. The service waits for the body until `finish`. */
export async function beginCreation(api: string, secret: string, body: string) {
  const { hostname, port } = new URL(api);
  const accepted = Promise.withResolvers<void>();
  let response = '';
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(_, data) {
        response += data.toString();
        if (response.includes('100 Continue')) accepted.resolve();
      },
    },
  });
  socket.write(creationHead(secret, body, 'Expect: 100-continue'));
  await accepted.promise;
  return {
    finish: () => socket.write(body),
    disconnect: () => socket.terminate(),
    response: () => response,
  };
}
