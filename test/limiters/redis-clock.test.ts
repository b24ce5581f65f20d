import { expect, test } from 'bun:test';
import { RedisClock } from '../../src/limiters/redis/limiter.ts';

const START_MS = Date.parse('2026-11-15T12:00:00Z');

test('a slow response does not set the clock back', () => {
  const clock = new RedisClock();
  clock.observe(START_MS, 0);
  clock.observe(START_MS + 100, 1_000);
  expect(clock.nowMs(1_000)).toBe(START_MS + 999);
});

test('a faster response corrects the clock at once', () => {
  const clock = new RedisClock();
  clock.observe(START_MS, 900);
  clock.observe(START_MS + 1_000, 1_000);
  expect(clock.nowMs(1_000)).toBe(START_MS + 1_000);
});

test('the clock follows a Redis clock that was set back by an hour', () => {
  const clock = new RedisClock();
  clock.observe(START_MS, 0);
  clock.observe(START_MS - 3_600_000, 1_000);
  expect(clock.nowMs(1_000)).toBe(START_MS - 3_600_000);
});

test('the clock is unknown before the first response', () => {
  expect(new RedisClock().nowMs(0)).toBeUndefined();
});
