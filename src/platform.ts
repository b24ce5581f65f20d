import { randomBytes } from 'node:crypto';

/** The clock and randomness of the machine. Everything else takes them as arguments. */
interface Platform {
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly newRequestId: () => string;
}

export const platform: Platform = {
  now: Date.now,
  randomBytes,
  newRequestId: Bun.randomUUIDv7,
};
