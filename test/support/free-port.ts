import { createServer } from 'node:net';

/** Below the ephemeral ports, so that no connection takes the port while a server restarts. */
const FIRST = 10_000;
const LAST = 32_000;

const given = new Set<number>();

/** Never the same port twice, since a test may need two before it uses one. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer();
  server.once('error', () => resolve(false));
  server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  return promise;
}
