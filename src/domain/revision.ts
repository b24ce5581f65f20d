/** Tells whether what was read from a store is still what it holds. */
export interface Revision {
  /** Another number than before when something that was there is no longer what it was. */
  readonly changes: () => number;
  /** Another number than before when anything was written; absent where that cannot be known. */
  readonly writes?: () => number;
  /** This process has written: whoever reads next must see it. */
  readonly expire?: () => void;
}

/** Of a store that tells nothing: what was read from it is taken for right for a second at most. */
export function everySecond(now: () => number): Revision {
  return { changes: () => Math.floor(now() / 1000) };
}
