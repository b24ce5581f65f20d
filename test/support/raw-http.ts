import { connect } from 'node:net';

/** Sends raw bytes that `fetch` would not send, and returns the raw response. */
export function rawHttp(url: string, chunks: readonly (string | Uint8Array)[]): Promise<string> {
  const { hostname, port } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let received = '';
  const socket = connect({ host: hostname, port: Number(port) }, () => {
    for (const chunk of chunks) socket.write(chunk);
  });
  socket.on('data', (data) => {
    received += data.toString('latin1');
  });
  socket.on('error', reject);
  socket.on('close', () => resolve(received));
  return promise;
}
