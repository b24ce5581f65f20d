import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Limits } from '#domain/plan.ts';
import { Clock } from '../support/time.ts';
import { newMemoryLimiter } from './limiters.ts';

/**
 * Each worker sends, waits for the response, and sends again: at once after an admission, after
 * `Retry-After` when refused. Workers do not share what they learn. Every message has a random latency
 * and a random wait beyond `Retry-After`, both in milliseconds.
 */
async function expectNoBan(
  workers: number,
  limits: Limits,
  latency: () => number,
  jitter: () => number,
): Promise<void> {
  const clock = new Clock('2026-11-15T23:50:00Z');
  const { now } = clock;
  await using limiter = newMemoryLimiter(now);
  const caller = { subject: 'account:1', ...limits, id: 1, unbannedAtMs: 0 };
  const endMs = now() + 20 * 60_000;
  const arrivals = Array.from({ length: workers }, () => now() + latency());
  for (;;) {
    const atMs = Math.min(...arrivals);
    if (atMs >= endMs) return;
    clock.nowMs = atMs;
    const decision = limiter.take(caller, atMs);
    expect(decision.refusedBy).not.toBe('ban');
    const waitMs =
      decision.refusedBy === undefined ? 0 : decision.retryAfterSeconds * 1000 + jitter();
    arrivals[arrivals.indexOf(atMs)] = atMs + latency() + waitMs + latency();
  }
}

test('a client that obeys Retry-After is never banned, with up to 200 requests in flight', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 1, max: 120 }),
      fc.integer({ min: 1, max: 600 }),
      fc.integer({ min: 20, max: 8_000 }),
      fc.integer({ min: 0, max: 40_000 }),
      fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
      async (workers, perMinute, perDay, slowestMs, patienceMs, chances) => {
        const chance = () => Number(chances.next().value);
        const latency = () => Math.max(5, chance() * slowestMs);
        await expectNoBan(workers, { perMinute, perDay }, latency, () => chance() * patienceMs);
      },
    ),
    { numRuns: 30 },
  );
});
