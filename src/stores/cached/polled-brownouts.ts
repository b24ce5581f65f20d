import {
  type Brownout,
  type BrownoutReader,
  type BrownoutSchedule,
  brownoutState,
} from '../../domain/brownout.ts';
import { StoreUnavailableError } from '../../domain/error.ts';

const POLL_MS = 1_000;

interface PolledBrownoutsOptions {
  readonly store: BrownoutReader;
  readonly now: () => number;
  /** Called once when a brownout begins, or when this instance starts during one. */
  readonly onBegan: (brownout: Brownout) => void;
  /** Called once when its time is over or an operator cancelled it. */
  readonly onEnded: (brownout: Brownout) => void;
  /** Called when they could not be read, unless the store is away, which requests report. */
  readonly onFailed: (error: unknown) => void;
  /** Default: a second. */
  readonly pollMs?: number;
}

/** Reads the brownouts of the store once a second. While the store is away, the last ones hold. */
export class PolledBrownouts implements BrownoutSchedule, AsyncDisposable {
  current: readonly Brownout[] = [];
  readonly #options: PolledBrownoutsOptions;
  #active: readonly Brownout[] = [];
  #polling: Promise<void> | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  private constructor(options: PolledBrownoutsOptions) {
    this.#options = options;
  }

  /** The brownouts are known before the first request. */
  static async open(options: PolledBrownoutsOptions): Promise<PolledBrownouts> {
    const brownouts = new PolledBrownouts(options);
    await brownouts.#poll();
    brownouts.#timer = setInterval(() => {
      // A slow store gets one query at a time.
      brownouts.#polling ??= brownouts.#poll().finally(() => {
        brownouts.#polling = undefined;
      });
    }, options.pollMs ?? POLL_MS).unref();
    return brownouts;
  }

  async #poll(): Promise<void> {
    const { store, now, onFailed } = this.#options;
    try {
      this.current = await store.currentBrownouts(now());
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) onFailed(error);
    }
    this.#announce(now());
  }

  #announce(nowMs: number): void {
    const before = this.#active;
    const active = this.current.filter((brownout) => brownoutState(brownout, nowMs) === 'active');
    this.#active = active;
    const isIn = (list: readonly Brownout[], { id }: Brownout) =>
      list.some((other) => other.id === id);
    const began = active.filter((brownout) => !isIn(before, brownout));
    const ended = before.filter((brownout) => !isIn(active, brownout));
    for (const brownout of began) this.#options.onBegan(brownout);
    for (const brownout of ended) this.#options.onEnded(brownout);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#polling;
  }
}
