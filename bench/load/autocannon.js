import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';

/** Does what replay.lua does, where wrk is not at hand: url, connections, seconds, file, offset. */
const [url, connections, duration, file, offset] = process.argv.slice(2);
const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
const start = Number(offset) % lines.length;
const run = crypto.randomUUID();
let sent = 0;

function toRequest(line) {
  const [method, path, key, address, body, once] = line.split('\t');
  const headers = {
    Authorization: `Bearer ${key}`,
    'X-Forwarded-For': address,
    ...(body !== '' && { 'Content-Type': 'application/json' }),
  };
  const request = { method, path, headers, ...(body !== '' && { body }) };
  if (once !== 'once') return request;
  const setupRequest = (given) => ({
    ...given,
    headers: { ...headers, 'Idempotency-Key': `${run}-${sent++}` },
  });
  return { ...request, setupRequest };
}

const requests = [...lines.slice(start), ...lines.slice(0, start)].map(toRequest);
const dealt = Array.from({ length: Number(connections) }, (_, connection) =>
  requests.filter((_, index) => index % Number(connections) === connection),
);

const result = await autocannon({
  url,
  connections: Number(connections),
  duration: Number(duration),
  timeout: 30,
  // Each connection would otherwise send all of them, from the first one on.
  setupClient: (client) => {
    const own = dealt.pop();
    client.setRequests(own.length > 0 ? own : requests);
  },
});
console.log(
  JSON.stringify({
    requests: result.requests.total,
    refused: result.non2xx,
    failures: result.errors + result.timeouts,
    seconds: result.duration,
    p50Us: result.latency.p50 * 1000,
    p99Us: result.latency.p99 * 1000,
  }),
);
