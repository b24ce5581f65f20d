/** The most that the runtime can do: it sends one response of Animal Store over and over. */
const { headers, body } = JSON.parse(process.env.RESPONSE);
const init = { headers: new Headers(headers) };

Bun.serve({
  hostname: '127.0.0.1',
  port: Number(process.env.PORT),
  development: false,
  fetch: () => new Response(body, init),
});
