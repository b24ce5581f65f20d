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
  socket.write(
    `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n` +
      'Content-Type: application/json\r\nExpect: 100-continue\r\n' +
      `Content-Length: ${body.length}\r\n\r\n`,
  );
  await accepted.promise;
  return {
    finish: () => socket.write(body),
    disconnect: () => socket.terminate(),
    response: () => response,
  };
}
