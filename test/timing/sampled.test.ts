import { expect, test } from 'bun:test';
import { sampled } from '#timing/sampled.ts';

/** Measurements that the test completes. */
function measurements() {
  const begun: PromiseWithResolvers<number>[] = [];
  const measure = () => {
    const measurement = Promise.withResolvers<number>();
    begun.push(measurement);
    return measurement.promise;
  };
  return { begun, measure };
}

test('reading never waits, starts a measurement only if none runs, and has no value after one that failed', async () => {
  const { begun, measure } = measurements();
  const read = sampled(measure, 0, () => 0);
  expect([read(), read(), begun.length]).toEqual([undefined, undefined, 1]);
  begun[0]?.resolve(7);
  await Bun.sleep(0);
  expect([read(), begun.length]).toEqual([7, 2]);
  begun[1]?.reject(new Error('away'));
  await Bun.sleep(0);
  expect(read()).toBeUndefined();
});

test('a result is returned until it is too old, and then measured again', async () => {
  const { begun, measure } = measurements();
  let nowMs = 5_000;
  const read = sampled(measure, 1_000, () => nowMs);
  begun[0]?.resolve(7);
  await Bun.sleep(0);
  nowMs = 5_999;
  expect([read(), begun.length]).toEqual([7, 1]);
  nowMs = 6_000;
  expect([read(), begun.length]).toEqual([7, 2]);
});
