import { seededRandom } from '#staging/seeded-random.ts';
import type { Trial } from './fault.ts';

export type Random = Trial['random'];

/** A whole number from 0 up to, but not including, the limit. */
export function below(limit: number, random: Random): number {
  return Math.floor(random() * limit);
}

export function pick<Value>(values: readonly Value[], random: Random): Value {
  const picked = values[below(values.length, random)];
  if (picked === undefined) throw new Error('There is nothing to choose from.');
  return picked;
}

/** Makes separate random numbers for a task that runs at the same time as others. Otherwise no seed could repeat it. */
export function ownRandom(random: Random): Random {
  return seededRandom(below(2 ** 31, random));
}
