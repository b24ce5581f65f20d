import { join } from 'node:path';
import { SQL } from 'bun';
import { makeKey, runJson, type Settings, serve } from '../test/support/command.ts';
import { createStore } from '../test/support/open-store.ts';
import { openapiProblem } from '../test/support/openapi-response.ts';
import { TestPostgres } from '../test/support/postgres.ts';
import { residentMb } from '../test/support/process-usage.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { atLeast, atMost, type Fault, type Finding, none, type Trial } from './fault.ts';
import { type Arrival, type Arrivals, Load } from './load.ts';

const OVERLOAD = 4;
/** The rate that clients reach on a machine that they share with the service. */
const MIN_OVERLOAD = 2;
const MAX_REQUESTS = 1_000;
/** More than are needed while the service sheds. Without that, all of them would wait. */
const CONNECTIONS = 4 * MAX_REQUESTS;
/** A batch of creations takes a while, so that the store is slower than the clients on any machine. */
const SLOW_CREATIONS = `
  CREATE FUNCTION wait_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF coalesce(current_setting('wait.done', true), '') = '' THEN PERFORM pg_sleep(0.4); END IF;
    PERFORM set_config('wait.done', 'yes', true);
    RETURN NULL;
  END $$;
  CREATE TRIGGER wait_once AFTER INSERT ON pets EXECUTE FUNCTION wait_once()`;
const READERS = 256;
const REQUESTS_AFTER = 20;
const HEALTH_EVERY_MS = 50;

const MAX_GROWTH_MB = 64;
const MAX_LOG_LINES = 20;

interface Attack {
  readonly operation: { readonly method: string; readonly path: string; readonly body?: string };
  /** The most requests that wait in the service. */
  readonly queue: number;
  readonly connections: number;
  /** At a fixed rate. Otherwise each connection sends its next request after a response. */
  readonly isOpenLoop: boolean;
  /** Requests that show how many the service can serve. */
  readonly sample: number;
  /** Generous, since clients, service and database share the machine. */
  readonly maxLatencyRatio: number;
}

/** Measures what the service can serve, and then sends four times as many requests. */
async function overload(
  { amount, step }: Trial,
  settings: Settings,
  { operation, queue, connections, isOpenLoop, sample, maxLatencyRatio }: Attack,
): Promise<{ arrivals: Arrivals; metrics: string; findings: Finding[] }> {
  const { secret } = await makeKey(settings, 'client');
  await using service = await serve(settings);
  const { api, operator } = service.started;
  using load = new Load(api, requestText(secret, operation), connections);
  await load.closed(queue, queue);
  const startMs = performance.now();
  await load.closed(queue, sample);
  const perMs = sample / (performance.now() - startMs);

  const memory = () => residentMb(service.pid);
  const before = memory();
  await using health = new HealthChecks(operator, memory);
  const sent = isOpenLoop
    ? await load.open(OVERLOAD * perMs, amount, step)
    : { arrivals: await load.closed(connections, amount, step), perMs };
  const { arrivals } = sent;
  await health[Symbol.asyncDispose]();
  const after = await load.closed(REQUESTS_AFTER, REQUESTS_AFTER);

  const served = arrivals.filter(isServed).map(({ ms }) => ms);
  const metrics = await (await fetch(`${operator}/metrics`)).text();
  return {
    arrivals,
    metrics,
    findings: [
      ...(isOpenLoop
        ? [atLeast(MIN_OVERLOAD, 'times what it can serve', rounded(sent.perMs / perMs))]
        : []),
      none('requests without a response', arrivals.filter((each) => each === undefined).length),
      none('responses other than success and 503', arrivals.filter(isUnexpected).length),
      none('health checks failed', health.failed),
      atLeast(1, 'health checks during it', health.passed),
      atMost(MAX_GROWTH_MB, 'MB of memory added', Math.max(0, Math.round(health.peakMb - before))),
      atMost(
        maxLatencyRatio,
        'time in which 90 % of the served requests had their response, in times that a full queue takes',
        rounded(percentile(served, 0.9) / ((isOpenLoop ? queue : connections) / perMs)),
      ),
      none('requests right after it that failed', after.filter((each) => !isServed(each)).length),
      atMost(MAX_LOG_LINES, 'lines in the log', service.stderr().split('\n').length - 1),
    ],
  };
}

export const overloadOfWrites: Fault = {
  name: 'overload',
  title: 'Four times the creations that the service can serve, at a fixed rate, on PostgreSQL',
  unit: 'requests',
  amounts: { full: 100_000, short: 5_000 },
  async run(trial) {
    await using server = await TestPostgres.start({ fsync: 'on' });
    const url = await server.newDatabase();
    await createStore(url);
    await using sql = new SQL(url, { max: 1 });
    await sql.unsafe(SLOW_CREATIONS);
    const { arrivals, metrics, findings } = await overload(
      trial,
      // So that only the limit of requests bounds the wait.
      {
        DATABASE_URL: url,
        MAX_CONCURRENT_REQUESTS: `${MAX_REQUESTS}`,
        STORE_TIMEOUT_SECONDS: '60',
      },
      {
        operation: { method: 'POST', path: '/pets', body: '{"name":"Rex","categoryId":1}' },
        queue: MAX_REQUESTS,
        connections: CONNECTIONS,
        isOpenLoop: true,
        sample: 2 * MAX_REQUESTS,
        maxLatencyRatio: 5,
      },
    );
    const [, shed] = /^animal_store_requests_shed_total (\d+)$/m.exec(metrics) ?? [];
    return [
      atLeast(1, 'requests shed with 503', Number(shed)),
      none('503 responses that lack a header of the API', countIncomplete(arrivals)),
      ...findings,
    ];
  },
};

export const overloadOfReads: Fault = {
  name: 'overload-reads',
  title: 'Reads of four times as many clients as keep the service busy, on SQLite',
  unit: 'requests',
  amounts: { full: 200_000, short: 10_000 },
  async run(trial) {
    using folder = temporaryFolder();
    const settings = { DATABASE_URL: `sqlite:${join(folder.path, 'store.db')}` };
    await createStore(settings.DATABASE_URL);
    await runJson(settings, 'pets', 'seed', '--count', '100');
    const { findings } = await overload(trial, settings, {
      operation: { method: 'GET', path: '/pets?limit=100' },
      queue: READERS,
      connections: OVERLOAD * READERS,
      isOpenLoop: false,
      sample: 40 * READERS,
      maxLatencyRatio: 10,
    });
    return findings;
  },
};

/** Asks for the health of the service all the time, and notes how much memory it uses. */
class HealthChecks implements AsyncDisposable {
  passed = 0;
  failed = 0;
  peakMb = 0;
  #isOver = false;
  readonly #checking: Promise<void>;

  constructor(operator: string, memory: () => number) {
    this.#checking = this.#check(operator, memory);
  }

  async #check(operator: string, memory: () => number): Promise<void> {
    do {
      this.peakMb = Math.max(this.peakMb, memory());
      const checks = ['live', 'ready'].map((kind) => fetch(`${operator}/health/${kind}`));
      for (const check of await Promise.allSettled(checks)) {
        if (check.status === 'fulfilled' && check.value.ok) this.passed++;
        else this.failed++;
      }
      await Bun.sleep(HEALTH_EVERY_MS);
    } while (!this.#isOver);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.#checking;
  }
}

function requestText(secret: string, { method, path, body }: Attack['operation']): string {
  const head = `${method} /v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n`;
  if (body === undefined) return `${head}\r\n`;
  const type = 'Content-Type: application/json\r\n';
  return `${head}${type}Content-Length: ${body.length}\r\n\r\n${body}`;
}

function isServed(arrival: Arrival | undefined): arrival is Arrival {
  return arrival?.status === 200 || arrival?.status === 201;
}

function isUnexpected(arrival: Arrival | undefined): boolean {
  return arrival !== undefined && arrival.status !== 503 && !isServed(arrival);
}

/** Compares each 503 with openapi.json. Responses with the same header names are checked once. */
function countIncomplete(arrivals: Arrivals): number {
  const refused = arrivals.filter((each): each is Arrival => each?.status === 503);
  const shapes = Map.groupBy(refused, ({ text }) => text.replace(/: .*/g, ''));
  let incomplete = 0;
  for (const [{ text }, ...others] of shapes.values() as Iterable<[Arrival, ...Arrival[]]>) {
    const [head = '', body = ''] = text.split('\r\n\r\n');
    const headers = head.split('\r\n').slice(1);
    const response = new Response(body, {
      status: 503,
      headers: headers.map((line) => line.split(': ', 2) as [string, string]),
    });
    const isComplete = openapiProblem('POST', '/pets', response, body) === undefined;
    if (!isComplete || !response.headers.has('retry-after')) incomplete += 1 + others.length;
  }
  return incomplete;
}

function percentile(values: number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
