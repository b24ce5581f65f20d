/**
 * Numbers that change when a store does. A cached value is valid while its number stays the same. Both
 * throw `StoreUnavailableError`.
 */
export interface Revision {
  /** Changes when an existing key, account or pet does, not when one is added. */
  readonly changes: () => number;
  /** Changes with every write. Absent if the store cannot tell. */
  readonly writes?: () => number;
}

/** For a store that does not report changes: cached values are valid for at most this long. */
export function revisionByTime(now: () => number, milliseconds: number): Revision {
  return { changes: () => Math.floor(now() / milliseconds) };
}
