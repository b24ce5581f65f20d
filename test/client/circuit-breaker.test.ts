import { describe, expect, test } from 'bun:test';
import { CircuitBreaker } from '../../packages/client/src/circuit-breaker.ts';
import { BAN_RULES } from '../../src/domain/ban.ts';

/** Aborts requests until the circuit opens. Returns how many it took. */
function abortUntilOpen(breaker: CircuitBreaker): number {
  let aborts = 1;
  while (!breaker.onFailure(breaker.state, true, 0)) aborts++;
  return aborts;
}

describe('a circuit breaker', () => {
  test('admits fewer requests in a minute than lead to a ban', () => {
    const breaker = new CircuitBreaker();
    let requests = abortUntilOpen(breaker);
    for (;;) {
      const probedAtMs = breaker.probeAtMs;
      if (probedAtMs > BAN_RULES.strikeMemorySeconds * 1000) break;
      requests++;
      breaker.onFailure(breaker.state, false, probedAtMs);
    }
    expect(requests).toBeLessThan(BAN_RULES.strikesToBan);
  });

  test('counts requests that fail together as one failure', () => {
    const breaker = new CircuitBreaker();
    const together = [breaker.state, breaker.state, breaker.state];
    const isNew = together.map((sentIn) => breaker.onFailure(sentIn, false, 0));
    expect(isNew).toEqual([true, false, false]);
    expect(breaker.failures).toBe(1);
  });

  test('closes on a response, but not on a late one', () => {
    const breaker = new CircuitBreaker();
    const late = breaker.state;
    breaker.onFailure(breaker.state, false, 0);
    breaker.onResponse(late);
    expect(breaker.failures).toBe(1);
    breaker.onResponse(breaker.state);
    expect(breaker.failures).toBe(0);
  });

  test('stays open if the probe is aborted', () => {
    const breaker = new CircuitBreaker();
    breaker.onFailure(breaker.state, false, 0);
    expect(breaker.onFailure(breaker.state, true, 500)).toBe(true);
    expect(breaker.probeAtMs).toBe(1_500);
  });

  test('opens after more than ten aborts in a row, counted from the last response', () => {
    expect(abortUntilOpen(new CircuitBreaker())).toBe(11);
    const breaker = new CircuitBreaker();
    const early = breaker.state;
    for (let i = 0; i < 10; i++) breaker.onFailure(breaker.state, true, 0);
    breaker.onResponse(breaker.state);
    breaker.onResponse(early);
    expect(abortUntilOpen(breaker)).toBe(11);
  });
});
