/** Below the ephemeral ports, so that no connection takes the port while a server restarts. */
const FIRST = 10_000;
const LAST = 32_000;

const hostname = '127.0.0.1';

/** Kept until this process ends. They keep other tests from a port before its server has started. */
const claims: unknown[] = [];

/** Never the same port twice, also for tests in other processes. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    try {
      const claim = await Bun.udpSocket({ hostname, port });
      claim.unref();
      claims.push(claim);
      Bun.listen({ hostname, port, socket: { data() {} } }).stop(true);
      return port;
    } catch {
      // Another test has claimed it, or a server uses it.
    }
  }
}
