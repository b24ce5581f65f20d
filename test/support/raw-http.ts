import { connect } from 'node:net';

type Chunk = string | Uint8Array;

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
