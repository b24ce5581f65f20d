import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { NO_JOURNAL } from '../../src/domain/counts-journal.ts';
import type { Decision } from '../../src/domain/rate-limit.ts';
import { MemoryLimiter } from '../../src/limiters/memory.ts';
import { Clock } from '../support/clock.ts';

/** Milliseconds, random for every message: the one-way latency, and the wait beyond Retry-After. */
interface Delays {
  readonly latency: () => number;
  readonly jitter: () => number;
}

/**
 * Each worker sends, waits for the response, and sends again: at once after an admission, after
 * `Retry-After` when refused. Workers do not share what they learn.
 */
async function simulate(
  workers: number,
  limits: { perMinute: number; perDay: number },
  { latency, jitter }: Delays,
  minutes: number,
  onDecision: (decision: Decision) => void,
): Promise<void> {
  const clock = new Clock('2026-11-15T23:50:00Z');
  await using limiter = new MemoryLimiter({
    now: clock.now,
    journal: NO_JOURNAL,
    onSaveFailed: () => {},
  });
  const caller = { subject: 'account:1', ...limits, id: 1, unbannedAtMs: 0 };
  const endMs = clock.nowMs + minutes * 60_000;
  const arrivals = Array.from({ length: workers }, () => clock.nowMs + latency());
  for (;;) {
    const atMs = Math.min(...arrivals);
    if (atMs >= endMs) return;
    clock.nowMs = atMs;
    const decision = limiter.take(caller, atMs);
    onDecision(decision);
    const waitMs =
      decision.refusedBy === undefined ? 0 : decision.retryAfterSeconds * 1000 + jitter();
    arrivals[arrivals.indexOf(atMs)] = atMs + latency() + Math.max(0, waitMs) + latency();
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
        const jitter = () => chance() * patienceMs;
        await simulate(workers, { perMinute, perDay }, { latency, jitter }, 20, (decision) => {
          expect(decision.refusedBy).not.toBe('ban');
        });
      },
    ),
    { numRuns: 30 },
  );
});
