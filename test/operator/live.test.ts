import { afterAll, describe, expect, test } from 'bun:test';
import { type Live, startLive } from '../../src/operator/live.ts';
import { EventLoopLag, Metrics } from '../../src/operator/metrics.ts';
import { Histogram } from '../../src/operator/prometheus.ts';
import { Clock, eventually } from '../support/time.ts';
import { startConsole } from './test-console.ts';

const metrics = new Metrics();
const clock = new Clock();
const live = newLive();
const operator = startConsole({ routes: live.routes }, clock, metrics);
afterAll(() => operator[Symbol.asyncDispose]());

/** Takes samples only when a test asks for one. */
function newLive(): Live {
  const live = startLive(metrics, clock.now);
  live[Symbol.dispose]();
  return live;
}

// biome-ignore lint/suspicious/noExplicitAny: the tests check the whole value.
async function samplesAfter(number: number): Promise<any[]> {
  const response = await operator.call(`/api/live?after=${number}`);
  expect(response.status).toBe(200);
  return (await response.json()) as unknown[];
}

const GET_PET = { operation: 'getPet', isApi: true, allow: [] } as const;

const call = (refusedBy?: 'minute') => {
  const quota = { window: 'minute', limit: 1, remaining: 0, resetAtSeconds: 1 } as const;
  const decision = refusedBy && { ...quota, refusedBy, retryAfterSeconds: 1 };
  return { route: GET_PET, decision };
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
    expect(first).toMatchObject({
      number: 1,
      at: '2026-11-15T12:00:00Z',
      byClass: { '2xx': 1, '3xx': 0, '4xx': 1, '5xx': 1 },
      refused: { minute: 1, day: 0, ban: 0 },
      p50: 0.213,
      p99: 245.5,
      isReady: true,
      redisAway: false,
    });
    expect(await samplesAfter(1)).toEqual([]);
    live.sample();
    live.sample();
    const idle = { byClass: { '2xx': 0 }, p50: null };
    expect(await samplesAfter(1)).toMatchObject([
      { number: 2, ...idle },
      { number: 3, ...idle },
    ]);
    // A greater number is from before a restart of the service.
    expect(await samplesAfter(9)).toHaveLength(3);
  });

  test('shows that the store is not ready, and that Redis is away', async () => {
    metrics.watch({ isReady: () => false });
    metrics.isRedisAway = true;
    live.sample();
    expect((await samplesAfter(0)).at(-1)).toMatchObject({ isReady: false, redisAway: true });
  });
});

test('an hour of samples is kept, and no more', () => {
  const busy = newLive();
  for (let i = 0; i < 740; i++) {
    clock.advance(5);
    busy.sample();
  }
  const hour = busy.samplesAfter(0);
  expect(hour).toHaveLength(720);
  expect(Date.parse(hour[0]?.at ?? '')).toBe(clock.now() - 3_595_000);
});

test('a blocked event loop is seen as lag', async () => {
  const lag = new Histogram([0.1]);
  using _lag = new EventLoopLag(lag);
  Bun.sleepSync(300);
  await eventually(() => (lag.counts[1] ?? 0) > 0);
});
