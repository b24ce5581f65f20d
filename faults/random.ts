import type { Trial } from './fault.ts';

export type Random = Trial['random'];

/** A whole number from 0, below the limit. */
export function below(limit: number, random: Random): number {
  return Math.floor(random() * limit);
}

export function pick<Value>(values: readonly Value[], random: Random): Value {
  return values[below(values.length, random)] as Value;
}

/** Work that runs at the same time needs its own numbers each, or no seed could repeat it. */
export function newSeed(random: Random): number {
  return below(2 ** 31, random);
}
