/** Begins a creation over a connection of its own; the service waits for the body until `finish`. */
export async function beginCreation(api: string, secret: string, body: string) {
  const { hostname, port } = new URL(api);
  const taken = Promise.withResolvers<void>();
  let answer = '';
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(_, data) {
        answer += data.toString();
        if (answer.includes('100 Continue')) taken.resolve();
      },
    },
  });
  socket.write(
    `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n` +
      'Content-Type: application/json\r\nExpect: 100-continue\r\n' +
      `Content-Length: ${body.length}\r\n\r\n`,
  );
  await taken.promise;
  return {
    finish: () => socket.write(body),
    hangUp: () => socket.terminate(),
    answer: () => answer,
  };
}
