import { connect } from 'node:net';

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
  const { hostname, port } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let received = '';
  const socket = connect({ host: hostname, port: Number(port) }, async () => {
    for await (const chunk of chunks) socket.write(chunk);
  });
  socket.on('data', (data) => {
    received += data.toString('latin1');
  });
  socket.on('error', reject);
  socket.on('close', () => resolve(received));
  return promise;
}
