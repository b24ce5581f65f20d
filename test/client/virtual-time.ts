import type { Runtime } from '../../packages/client/src/runtime.ts';
import type { Clock } from '../support/time.ts';

interface Timer {
  readonly atMs: number;
  readonly callback: () => void;
}

/** Timers that fire only when the test calls `step`. */
export class VirtualTime {
  readonly #timers = new Set<Timer>();

  constructor(readonly clock: Clock) {}

  readonly after = (milliseconds: number, callback: () => void): (() => void) => {
    const timer = { atMs: this.clock.nowMs + milliseconds, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  /** A runtime that uses this time. `skewSeconds` shifts its clock but not its durations. */
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

  /** Moves the clock to the next timer and fires it. Returns false if no timer is due before `endMs`. */
  async step(endMs = Infinity): Promise<boolean> {
    // Lets all work that the last timer started finish before the next one fires.
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
