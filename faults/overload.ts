import { SQL } from 'bun';
import { HttpConnection } from '../test/faults/http-connection.ts';
import { makeKey, serve } from '../test/support/command.ts';
import { creationHead } from '../test/support/http.ts';
import { TestPostgres } from '../test/support/postgres.ts';
import { createStore } from '../test/support/store.ts';
import { atLeast, atMost, type Fault, none } from './fault.ts';
import { residentMb } from './process-usage.ts';

const MAX_REQUESTS = 250;
const CLIENTS = 4 * MAX_REQUESTS;
/** Adds 0.4 seconds to each batch of creations, so that the store is slower than the clients on any machine. */
const SLOW_CREATIONS = `
  CREATE FUNCTION wait_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF coalesce(current_setting('wait.done', true), '') = '' THEN PERFORM pg_sleep(0.4); END IF;
    PERFORM set_config('wait.done', 'yes', true);
    RETURN NULL;
  END $$;
  CREATE TRIGGER wait_once AFTER INSERT ON pets EXECUTE FUNCTION wait_once()`;
const PAUSE_AFTER_503_MS = 20;
const HEALTH_EVERY_MS = 50;
const MAX_GROWTH_MB = 64;
const MAX_LOG_LINES = 20;
/** This is generous, because clients, service and database share the machine. */
const MAX_RATIO = 5;

interface Arrival {
  readonly status: number;
  readonly ms: number;
}

/** Sends requests on all connections. Each connection sends its next request after the response to the last one. */
async function send(
  connections: readonly HttpConnection[],
  request: string,
  count: number,
): Promise<readonly Arrival[]> {
  const arrivals: Arrival[] = [];
  let left = count;
  const repeat = async (connection: HttpConnection) => {
    while (left-- > 0) {
      const startMs = performance.now();
      const [status = 0] = await connection.exchange(request).catch(() => [0]);
      arrivals.push({ status, ms: performance.now() - startMs });
      if (status === 503) await Bun.sleep(PAUSE_AFTER_503_MS);
    }
  };
  await Promise.all(connections.map(repeat));
  return arrivals;
}

/** The time within which 90 % of the creations got their response. */
function slowMs(arrivals: readonly Arrival[]): number {
  const served = arrivals.filter(({ status }) => status === 201).map(({ ms }) => ms);
  return served.toSorted((a, b) => a - b)[Math.floor(served.length * 0.9)] ?? Number.NaN;
}

export const overload: Fault = {
  name: 'overload',
  title:
    'Creations sent by four times as many clients as the service can serve at once, on PostgreSQL',
  unit: 'requests',
  amounts: { full: 100_000, short: 5_000 },
  async run({ amount }) {
    await using resources = new AsyncDisposableStack();
    const server = resources.use(await TestPostgres.start({ fsync: 'on' }));
    const url = await server.newDatabase();
    await createStore(url);
    const sql = resources.use(new SQL(url, { max: 1 }));
    await sql.unsafe(SLOW_CREATIONS);
    const { secret } = await makeKey({ DATABASE_URL: url }, 'client');
    // The timeout is long, so that only the limit of requests bounds how long a request waits.
    const limits = { MAX_CONCURRENT_REQUESTS: `${MAX_REQUESTS}`, STORE_TIMEOUT_SECONDS: '60' };
    const service = resources.use(await serve({ DATABASE_URL: url, ...limits }));
    const { api, operator } = service.started;
    const opened = Array.from({ length: CLIENTS }, () => HttpConnection.open(api));
    const connections = (await Promise.all(opened)).map((each) => resources.use(each));
    const body = '{"name":"Rex","categoryId":1}';
    const request = creationHead(secret, body) + body;
    const full = connections.slice(0, MAX_REQUESTS);
    const before = await send(full, request, 4 * MAX_REQUESTS);

    const memoryBefore = residentMb(service.pid);
    const health = { passed: 0, failed: 0, peakMb: 0 };
    let isOver = false;
    const checkHealth = async () => {
      while (!isOver) {
        health.peakMb = Math.max(health.peakMb, residentMb(service.pid));
        for (const kind of ['live', 'ready']) {
          const response = await fetch(`${operator}/health/${kind}`).catch(() => undefined);
          if (response?.ok) health.passed++;
          else health.failed++;
        }
        await Bun.sleep(HEALTH_EVERY_MS);
      }
    };
    const checking = checkHealth();
    const arrivals = await send(connections, request, amount);
    isOver = true;
    await checking;
    const after = await send(connections.slice(0, 20), request, 20);

    const count = (...statuses: number[]) =>
      arrivals.filter(({ status }) => statuses.includes(status)).length;
    return [
      atLeast(1, 'requests refused with 503', count(503)),
      none('requests without a response', count(0)),
      none('responses other than 201 and 503', amount - count(0, 201, 503)),
      none('health checks failed', health.failed),
      atLeast(1, 'health checks passed', health.passed),
      atMost(MAX_GROWTH_MB, 'MB of memory added', Math.round(health.peakMb - memoryBefore)),
      atMost(
        MAX_RATIO,
        'times as slow as without excess clients (90th percentile of creations)',
        Math.round((10 * slowMs(arrivals)) / slowMs(before)) / 10,
      ),
      none(
        'failed requests after the overload',
        after.filter(({ status }) => status !== 201).length,
      ),
      atMost(MAX_LOG_LINES, 'lines in the log', service.stderr().split('\n').length - 1),
    ];
  },
};
