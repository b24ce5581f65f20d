/** A request that passed through, and its response. */
export interface Exchange {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
  readonly status: number;
  readonly response: string;
}

export interface Recorder extends AsyncDisposable {
  /** The address of the service under a name of the caller's choice. */
  urlFor(name: string): string;
  /** The exchanges under that name, in order. */
  exchanges(name: string): Exchange[];
}

/** Stands in front of a service, and records what passes. Requests reach the service unchanged. */
export function startRecorder(origin: string): Recorder {
  const recorded: { readonly name: string; readonly exchange: Exchange }[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const [, name = '', path = ''] = /^\w+:\/\/[^/]+\/([^/]*)(.*)$/s.exec(request.url) ?? [];
      const { method, headers } = request;
      const body = await request.text();
      const url = new URL(origin + path);
      const sent = await fetch(url, { method, headers, ...(body !== '' && { body }) });
      const response = await sent.text();
      const { status } = sent;
      recorded.push({ name, exchange: { method, url, headers, body, status, response } });
      return new Response(response, { status, headers: sent.headers });
    },
  });
  return {
    urlFor: (name) => `http://127.0.0.1:${server.port}/${name}`,
    exchanges: (name) =>
      recorded.filter((entry) => entry.name === name).map(({ exchange }) => exchange),
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}
