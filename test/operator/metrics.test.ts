import { expect, test } from 'bun:test';
import { EventLoopLag, LATENCY_BOUNDS, Metrics } from '../../src/operator/metrics.ts';
import { Histogram } from '../../src/operator/prometheus.ts';
import { eventually } from '../support/command.ts';

const call = (operation: string) => ({ route: { operation, isApi: true }, decision: undefined });

test('a snapshot has the counts of all operations together', () => {
  const metrics = new Metrics();
  metrics.observe(call('getPet'), { status: 200 }, 0.00005);
  metrics.observe(call('listPets'), { status: 200 }, 0.00005);
  metrics.observe(call('listPets'), { status: 404 }, 60);
  const refusal = {
    window: 'day' as const,
    limit: 1,
    remaining: 0,
    resetAtSeconds: 1,
    retryAfterSeconds: 1,
  };
  const refused = { ...call('getPet'), decision: { ...refusal, refusedBy: 'day' as const } };
  metrics.observe(refused, { status: 429 }, 0.0002);
  const { byStatus, refusals, byBucket, inFlight } = metrics.snapshot();
  expect([...byStatus]).toEqual([
    [200, 2],
    [429, 1],
    [404, 1],
  ]);
  expect(refusals).toEqual({ minute: 0, day: 1, ban: 0 });
  expect(byBucket).toHaveLength(LATENCY_BOUNDS.length + 1);
  expect([byBucket[0], byBucket[1], byBucket.at(-1)]).toEqual([2, 1, 1]);
  expect(inFlight).toBe(0);
});

test('a snapshot does not change after it was taken', () => {
  const metrics = new Metrics();
  const before = metrics.snapshot();
  metrics.observe(call('getPet'), { status: 200 }, 1);
  expect(before.byStatus.size).toBe(0);
  expect(before.byBucket.every((count) => count === 0)).toBeTrue();
});

test('a blocked event loop is seen as lag', async () => {
  const lag = new Histogram([0.1]);
  using _lag = new EventLoopLag(lag);
  Bun.sleepSync(300);
  await eventually(() => lag.counts[1] === 1);
});
