import { afterAll, describe, expect, test } from 'bun:test';
import { Live, liveRoutes, percentile } from '../../src/operator/live.ts';
import { Metrics } from '../../src/operator/metrics.ts';
import { Clock } from '../support/clock.ts';
import { startConsole } from '../support/console.ts';

const metrics = new Metrics();
const clock = new Clock();
const live = newLive();
const operator = startConsole({ routes: liveRoutes(live) }, clock, metrics);
afterAll(() => operator[Symbol.asyncDispose]());

/** Takes samples only when a test asks for one. */
function newLive(): Live {
  const live = new Live({ metrics, now: clock.now });
  live[Symbol.dispose]();
  return live;
}

// biome-ignore lint/suspicious/noExplicitAny: the tests check the whole value.
async function samplesAfter(number: number): Promise<any[]> {
  const response = await operator.call(`/api/live?after=${number}`);
  expect(response.status).toBe(200);
  return (await response.json()) as unknown[];
}

const call = (refusedBy?: 'minute') => {
  const quota = { window: 'minute', limit: 1, remaining: 0, resetAtSeconds: 1 } as const;
  const decision = refusedBy && { ...quota, refusedBy, retryAfterSeconds: 1 };
  return { route: { operation: 'getPet', isApi: true }, decision };
};

describe('the live view', () => {
  test('gets the hour, and then the samples that it does not have yet', async () => {
    metrics.watch({ isReady: () => true });
    metrics.observe(call(), { status: 200 }, 0.0002);
    metrics.observe(call('minute'), { status: 429 }, 0.0002);
    metrics.observe(call(), { status: 503 }, 0.2);
    live.sample();
    const [first, ...others] = await samplesAfter(0);
    expect(others).toEqual([]);
    expect(first).toEqual({
      number: 1,
      at: '2026-11-15T12:00:00Z',
      byClass: { '2xx': 1, '3xx': 0, '4xx': 1, '5xx': 1 },
      refused: { minute: 1, day: 0, ban: 0 },
      p50: 0.213,
      p95: 227.5,
      p99: 245.5,
      inFlight: 0,
      isReady: true,
      redisAway: false,
    });
    expect(await samplesAfter(1)).toEqual([]);
    live.sample();
    live.sample();
    const idle = { byClass: { '2xx': 0 }, p50: null, p95: null, p99: null };
    expect(await samplesAfter(1)).toMatchObject([
      { number: 2, ...idle },
      { number: 3, ...idle },
    ]);
    expect(await samplesAfter(0)).toHaveLength(3);
  });

  test('gets everything after a restart of the service', async () => {
    expect(await samplesAfter(9)).toEqual(await samplesAfter(0));
  });

  test('shows that the store is not ready, and that Redis is away', async () => {
    metrics.watch({ isReady: () => false });
    metrics.isRedisAway = true;
    live.sample();
    expect((await samplesAfter(0)).at(-1)).toMatchObject({ isReady: false, redisAway: true });
  });

  test('needs a sign-in', async () => {
    expect((await operator.send('/api/live?after=0')).status).toBe(401);
  });
});

test('an hour of samples is kept, and no more', () => {
  const busy = newLive();
  for (let i = 0; i < 3_700; i++) {
    clock.advance(1);
    busy.sample();
  }
  const hour = busy.samplesAfter(0);
  expect(hour).toHaveLength(3_600);
  expect(Date.parse(hour[0]?.at ?? '')).toBe(clock.now() - 3_599_000);
  expect(Date.parse(hour.at(-1)?.at ?? '')).toBe(clock.now());
  expect(busy.samplesAfter(3_699)).toEqual(hour.slice(-1));
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
