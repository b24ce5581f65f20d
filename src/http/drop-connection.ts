import { once } from 'node:events';
import type { ListenerSockets } from './listener-sockets.ts';

/** Closes the connection of a request. Resolves once the request can get no response. */
export async function dropConnection(
  request: Request,
  server: Bun.Server<undefined>,
  sockets: ListenerSockets | undefined,
): Promise<void> {
  const { signal } = request;
  if (signal.aborted) return;
  const peer = server.requestIP(request);
  if (peer !== null && sockets?.closePeer(peer.address, peer.port)) return;
  // Elsewhere than on Linux, only silence closes a connection.
  const aborted = once(signal, 'abort');
  server.timeout(request, 1);
  await aborted;
}
