import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Live, liveRoutes, percentile } from '../../src/operator/live.ts';
import { Metrics } from '../../src/operator/metrics.ts';
import { Clock } from '../support/clock.ts';
import { eventually } from '../support/command.ts';
import { startConsole, type TestConsole, TOKEN } from '../support/console.ts';

const metrics = new Metrics();
const clock = new Clock();
let isReady = true;
let live: Live;
let operator: TestConsole;

beforeAll(() => {
  metrics.watch({ isReady: () => isReady });
  live = new Live({ metrics, now: clock.now, sampleMs: 20 });
  operator = startConsole({ routes: liveRoutes(live) }, clock, metrics);
});
afterAll(async () => {
  live[Symbol.dispose]();
  await operator[Symbol.asyncDispose]();
});

interface LiveEvent {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests check the whole value.
  readonly data: any;
}

/** Reads events until the caller has seen enough. */
async function* eventsOf(response: Response): AsyncGenerator<LiveEvent> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(text.slice(0, end)) ?? [];
      text = text.slice(end + 2);
      yield { event, data: JSON.parse(data) };
    }
  }
}

const open = (abort?: AbortController) =>
  fetch(`${operator.url}/api/live`, {
    headers: { Authorization: `Bearer ${TOKEN}` },
    ...(abort && { signal: abort.signal }),
  });

/** The cookie of a new session. Sessions of the same second are the same. */
async function newSession(): Promise<Record<string, string>> {
  clock.advance(1);
  const response = await operator.send('/api/session', { method: 'POST', body: { token: TOKEN } });
  return { Cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
}

/** Follows a live view until its end. */
function follow(headers: Record<string, string>) {
  const state = { samples: 0, isEnded: false };
  const abort = new AbortController();
  const follower = async () => {
    const response = await fetch(`${operator.url}/api/live`, { headers, signal: abort.signal });
    for await (const { event } of eventsOf(response)) if (event === 'sample') state.samples++;
    state.isEnded = true;
  };
  // Rejects when it is aborted.
  follower().catch(() => {});
  return { state, [Symbol.dispose]: () => abort.abort() };
}

async function hasMoreSamples(state: { samples: number }): Promise<void> {
  const { samples } = state;
  await eventually(() => state.samples > samples);
}

const call = (refusedBy?: 'minute') => {
  const quota = { window: 'minute', limit: 1, remaining: 0, resetAtSeconds: 1 } as const;
  const decision = refusedBy && { ...quota, refusedBy, retryAfterSeconds: 1 };
  return { route: { operation: 'getPet', isApi: true }, decision };
};

describe('the live view', () => {
  test('gets the last hour first, and then each sample', async () => {
    const response = await open();
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const events = eventsOf(response);
    const first = await events.next();
    expect(first.value).toMatchObject({ event: 'history' });
    expect(Array.isArray(first.value?.data)).toBe(true);
    metrics.observe(call(), { status: 200 }, 0.0002);
    metrics.observe(call('minute'), { status: 429 }, 0.0002);
    metrics.observe(call(), { status: 503 }, 0.2);
    let sample = (await events.next()).value;
    while (sample?.data.byClass['2xx'] === 0) sample = (await events.next()).value;
    expect(sample).toEqual({
      event: 'sample',
      data: {
        at: '2026-11-15T12:00:00Z',
        byClass: { '2xx': 1, '3xx': 0, '4xx': 1, '5xx': 1 },
        refused: { minute: 1, day: 0, ban: 0 },
        p50: 0.213,
        p95: 227.5,
        p99: 245.5,
        inFlight: 0,
        isReady: true,
        redisAway: false,
      },
    });
    const idle = (await events.next()).value?.data;
    expect(idle).toMatchObject({ byClass: { '2xx': 0 }, p50: null, p95: null, p99: null });
    await events.return(undefined);

    const again = eventsOf(await open());
    const hour = (await again.next()).value?.data;
    expect(
      hour.filter((each: { byClass: object }) => each.byClass['2xx' as never] === 1),
    ).toHaveLength(1);
    await again.return(undefined);
  });

  test('shows within seconds that the store is not ready, and that Redis is away', async () => {
    isReady = false;
    metrics.isRedisAway = true;
    const events = eventsOf(await open());
    await events.next();
    let sample = (await events.next()).value?.data;
    while (sample.isReady) sample = (await events.next()).value?.data;
    expect(sample).toMatchObject({ isReady: false, redisAway: true });
    await events.return(undefined);
    isReady = true;
    metrics.isRedisAway = false;
  });

  test('can be open 20 times, and a closed one makes room', async () => {
    const aborts = Array.from({ length: 20 }, () => new AbortController());
    const responses = await Promise.all(aborts.map((abort) => open(abort)));
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const refused = await open();
    expect([refused.status, await refused.json()]).toEqual([
      503,
      { error: 'More than 20 live views are open. Close one.' },
    ]);
    aborts[0]?.abort();
    await eventually(async () => {
      const abort = new AbortController();
      const { status } = await open(abort);
      abort.abort();
      return status === 200;
    });
    for (const abort of aborts) abort.abort();
  });

  test('ends when its operator signs out, and others go on', async () => {
    const [mine, others] = [await newSession(), await newSession()];
    using signedOut = follow(mine);
    using signedIn = follow(others);
    using withToken = follow({ Authorization: `Bearer ${TOKEN}` });
    for (const { state } of [signedOut, signedIn, withToken]) await hasMoreSamples(state);
    await operator.send('/api/session', { method: 'DELETE', headers: mine });
    // A request that was on its way does not keep the view open.
    expect((await operator.send('/api/session', { headers: mine })).status).toBe(200);
    await eventually(() => signedOut.state.isEnded);
    for (const { state } of [signedIn, withToken]) await hasMoreSamples(state);
    expect([signedIn.state.isEnded, withToken.state.isEnded]).toEqual([false, false]);
  });

  test('ends with its session', async () => {
    using view = follow(await newSession());
    await hasMoreSamples(view.state);
    clock.advance(12 * 3600 - 1);
    await hasMoreSamples(view.state);
    expect(view.state.isEnded).toBe(false);
    clock.advance(1);
    await eventually(() => view.state.isEnded);
  });

  test('takes no room for HEAD', async () => {
    for (let i = 0; i < 25; i++) {
      expect((await operator.call('/api/live', { method: 'HEAD' })).status).toBe(200);
    }
  });
});

test('an hour of samples is kept, and no more', async () => {
  const busy = new Live({ metrics, now: clock.now, sampleMs: 1e9 });
  for (let i = 0; i < 3_700; i++) {
    clock.advance(1);
    busy.sample();
  }
  const { value } = await eventsOf(new Response(busy.open(() => true))).next();
  const hour: { at: string }[] = value?.data;
  expect(hour).toHaveLength(3_600);
  expect(Date.parse(hour[0]?.at ?? '')).toBe(clock.now() - 3_599_000);
  expect(Date.parse(hour.at(-1)?.at ?? '')).toBe(clock.now());
  busy[Symbol.dispose]();
});

describe('a percentile', () => {
  const BOUNDS = [1, 2, 4];

  test.each([
    ['without values is undefined', [0, 0, 0, 0], 0.5, undefined],
    ['is interpolated in its bucket', [0, 4, 0, 0], 0.5, 1.5],
    ['of the first bucket starts at zero', [4, 0, 0, 0], 0.25, 0.25],
    ['skips empty buckets', [1, 0, 1, 0], 1, 4],
    ['above the last bound is that bound', [0, 0, 0, 5], 0.99, 4],
  ])('%s', (_, counts, part, expected) => {
    expect(percentile(BOUNDS, counts, part)).toBe(expected as number);
  });
});
