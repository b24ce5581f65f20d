import type { Runtime } from '../../src/client/runtime.ts';
import type { Clock } from './clock.ts';

interface Timer {
  readonly atMs: number;
  readonly callback: () => void;
}

/** Timers that go off when the clock is moved, and not before. */
export class VirtualTime {
  readonly #timers = new Set<Timer>();

  constructor(readonly clock: Clock) {}

  readonly after = (milliseconds: number, callback: () => void): (() => void) => {
    const timer = { atMs: this.clock.nowMs + milliseconds, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  /** A runtime in this time. Its clock may be wrong by some seconds; durations are not. */
  runtime(random: () => number = () => 0.5, skewSeconds = 0): Runtime {
    let keys = 0;
    return {
      now: () => this.clock.nowMs + skewSeconds * 1000,
      elapsed: this.clock.now,
      after: this.after,
      random,
      newKey: () => `key-${++keys}`,
    };
  }

  /** Moves on to the next timer; false when there is none before `endMs`. */
  async step(endMs = Infinity): Promise<boolean> {
    // What became possible with the last timer happens before the next.
    await new Promise(setImmediate);
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (next === undefined || timer.atMs < next.atMs) next = timer;
    }
    if (next === undefined || next.atMs >= endMs) return false;
    this.#timers.delete(next);
    this.clock.nowMs = Math.max(this.clock.nowMs, next.atMs);
    next.callback();
    return true;
  }
}
