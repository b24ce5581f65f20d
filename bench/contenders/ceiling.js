/** The most that the runtime can do: this server always sends the same response of Animal Store. */
const { headers, body } = JSON.parse(process.env.RESPONSE);
const init = { headers: new Headers(headers) };

Bun.serve({
  hostname: '127.0.0.1',
  port: Number(process.env.PORT),
  development: false,
  fetch: () => new Response(body, init),
});
