/** How many times an attack tries its fault, and the random numbers that it uses. */
export interface Trial {
  readonly amount: number;
  /** Returns a random number from 0 to 1. The same seed gives the same numbers. */
  readonly random: () => number;
}

/** A promise about the service, and the outcome of the attack. */
export interface Finding {
  readonly promise: string;
  readonly outcome: string;
  readonly holds: boolean;
}

/** An attack on the service, and the promises that must survive it. */
export interface Fault {
  /** The name that chooses the attack on the command line. */
  readonly name: string;
  readonly title: string;
  /** What `amounts` count, in the plural, such as "kills". */
  readonly unit: string;
  /** The amount for `npm run faults`, and the amount for the tests, or 0 if the tests leave the attack out. */
  readonly amounts: { readonly full: number; readonly short: number };
  run(trial: Trial): Promise<readonly Finding[]>;
}

/** A finding that holds if the number is zero. */
export function none(promise: string, count: number): Finding {
  return { promise, outcome: count.toLocaleString('en'), holds: count === 0 };
}

/** A finding that holds if the number does not exceed the limit. */
export function atMost(limit: number, promise: string, value: number): Finding {
  const outcome = `${value.toLocaleString('en')} (at most ${limit.toLocaleString('en')})`;
  return { promise, outcome, holds: value <= limit };
}

/** A finding that holds if the number reaches the limit. A control run without syncs, for example, must lose pets. */
export function atLeast(limit: number, promise: string, value: number): Finding {
  const outcome = `${value.toLocaleString('en')} (at least ${limit.toLocaleString('en')})`;
  return { promise, outcome, holds: value >= limit };
}

/**
 * Makes `amount` items, and works on at most `workers` of them at a time. The items are made in a fixed order, so
 * that a seed makes the same items again.
 */
export async function tryInParallel<T>(
  { amount }: Trial,
  workers: number,
  next: () => T,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let left = amount;
  const worker = async () => {
    while (left-- > 0) {
      await work(next());
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
}
