import { randomBytes } from 'node:crypto';

/** What the machine gives: the time, chance and digests. Everything else takes them as arguments. */
export interface Platform {
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly sha256: (text: string) => Uint8Array;
  readonly newRequestId: () => string;
}

export const platform: Platform = {
  now: Date.now,
  randomBytes,
  sha256: (text) => Bun.SHA256.hash(text, new Uint8Array(32)) as Uint8Array,
  newRequestId: () => Bun.randomUUIDv7(),
};
