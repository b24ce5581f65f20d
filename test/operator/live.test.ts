import { expect, test } from 'bun:test';
import { Live } from '#operator/live.ts';
import { Metrics, watchLag } from '#operator/metrics.ts';
import { Histogram } from '#operator/prometheus.ts';
import { Clock, eventually } from '../support/time.ts';

const metrics = new Metrics();
const clock = new Clock();
const live = newLive();

/** Takes samples only when a test asks for one. */
function newLive() {
  const live = new Live(metrics, clock.now);
  live[Symbol.dispose]();
  return live;
}

const GET_PET = { operation: 'getPet', isApi: true, allow: [] } as const;

const call = (refusedBy?: 'minute' | 'ban') => {
  const quota = { window: 'minute', limit: 1, remaining: 0, resetAtSeconds: 1 } as const;
  const decision = refusedBy && { ...quota, refusedBy, retryAfterSeconds: 1, banBegan: true };
  return { route: GET_PET, decision };
};

test('the live view gets the hour, and then the samples that it does not have yet', () => {
  metrics.watch({ isReady: () => true, requestsInFlight: () => 2 });
  metrics.observe(call(), { status: 200 }, 0.0002);
  metrics.observe(call('minute'), { status: 429 }, 0.0002);
  metrics.observe(call(), { status: 503 }, 0.2);
  live.sample();
  const [first, ...others] = live.samplesAfter(null);
  expect(others).toEqual([]);
  expect(first).toMatchObject({
    at: '2026-11-15T12:00:00Z',
    byClass: { '2xx': 1, '3xx': 0, '4xx': 1, '5xx': 1 },
    refused: { minute: 1, day: 0, ban: 0 },
    p50: 0.213,
    p99: 245.5,
    inFlight: 2,
    isReady: true,
    redisAway: false,
  });
  expect(live.samplesAfter(first?.at ?? '')).toEqual([]);
  clock.advance(5);
  metrics.observe(call(), { status: 200 }, 0.0005);
  metrics.observe(
    { route: { ...GET_PET, operation: 'listPets' }, decision: undefined },
    { status: 200 },
    9,
  );
  live.sample();
  clock.advance(5);
  metrics.watch({ isReady: () => false });
  metrics.isRedisAway = true;
  live.sample();
  expect(live.samplesAfter(first?.at ?? '')).toMatchObject([
    { byClass: { '2xx': 2 }, p50: 0.5, p99: 5_000 },
    { byClass: { '2xx': 0 }, p50: Number.NaN, isReady: false, redisAway: true },
  ]);
  // This sample is from before a restart of the service.
  expect(live.samplesAfter('2026-11-15T11:59:59Z')).toHaveLength(3);
});

test('an hour of samples is kept, and no more', () => {
  const busy = newLive();
  for (let i = 0; i < 740; i++) {
    clock.advance(5);
    busy.sample();
  }
  const hour = busy.samplesAfter(null);
  expect(hour).toHaveLength(720);
  expect(Date.parse(hour[0]?.at ?? '')).toBe(clock.now() - 3_595_000);
});

test('the metrics count requests by operation and status, refusals by window, and bans', () => {
  const metrics = new Metrics();
  metrics.observe(call(), { status: 404 }, 0.1);
  metrics.observe(call('ban'), { status: 429 }, 0.1);
  const rendered = metrics.render();
  for (const line of [
    'requests_total{operation="getPet",status="404"} 1',
    'request_duration_seconds_count{operation="getPet"} 2',
    'refusals_total{by="day"} 0',
    'refusals_total{by="ban"} 1',
    'bans_total 1',
  ]) {
    expect(rendered).toContain(`\nanimal_store_${line}\n`);
  }
});

test('the metrics leave out what is unknown, and a bucket includes its upper bound', () => {
  const metrics = new Metrics();
  const unknown = /^animal_store_(build_info|redis_round_trip_seconds|database_\w+)\b/m;
  expect(metrics.render()).not.toMatch(unknown);
  const build = { version: '1', runtime: 'Bun', store: 'SQLite', limiter: 'redis' };
  metrics.watch({ build });
  for (const creations of [2, 1_024, 1_025]) metrics.creationsPerCommit.observe(creations);
  const rendered = metrics.render();
  const commits = 'animal_store_creations_per_commit';
  for (const line of [
    'animal_store_build_info{version="1",runtime="Bun",store="SQLite",limiter="redis"} 1',
    'animal_store_redis_round_trip_seconds_count 0',
    `process_start_time_seconds ${performance.timeOrigin / 1000}`,
    `${commits}_bucket{le="2"} 1`,
    `${commits}_bucket{le="1024"} 2\n${commits}_bucket{le="+Inf"} 3\n${commits}_sum 2051`,
  ]) {
    expect(rendered).toContain(`\n${line}\n`);
  }
});

test('a blocked event loop is seen as lag', async () => {
  const lag = new Histogram([0.1]);
  watchLag(lag);
  Bun.sleepSync(300);
  await eventually(() => (lag.counts[1] ?? 0) > 0);
});
