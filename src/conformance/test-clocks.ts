import type { Credential } from './round-trip.ts';

export const DAY_MS = 86_400_000;

/** The clocks that a staging deployment keeps for its accounts, and that requests move. */
export class TestClocks {
  readonly #now: () => number;
  readonly #clocks = new Map<
    Credential,
    { readonly testTime: string; readonly offsetMs: number }
  >();
  #starts = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The keys whose clocks were moved. */
  get moved(): readonly Credential[] {
    return [...this.#clocks.keys()];
  }

  forget(credential: Credential): void {
    this.#clocks.delete(credential);
  }

  timeMs(credential: Credential): number {
    return this.#now() + (this.#clocks.get(credential)?.offsetMs ?? 0);
  }

  /** Every request repeats this time. A clock that was put there before runs on. */
  testTime(credential: Credential): string | undefined {
    return this.#clocks.get(credential)?.testTime;
  }

  moveTo(credential: Credential, ms: number): void {
    const testTime = new Date(ms).toISOString();
    this.#clocks.set(credential, { testTime, offsetMs: ms - this.#now() });
  }

  /** Starts on a day that this run has not used, at least a day from now. */
  start(credentials: readonly Credential[]): void {
    const startMs = midnightAfter(this.#now() + DAY_MS * ++this.#starts);
    for (const credential of credentials) this.moveTo(credential, startMs);
  }
}

/** In UTC. */
export function midnightAfter(ms: number): number {
  return Math.ceil(ms / DAY_MS) * DAY_MS;
}
