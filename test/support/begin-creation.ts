import { creationHead } from './raw-http.ts';

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
