/** How often a fault is tried, and with which random numbers. */
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
  /** What the amount counts, in the plural. */
  readonly unit: string;
  /** The amount for `npm run faults`, and the amount for the tests. */
  readonly amounts: { readonly full: number; readonly short: number };
  run(trial: Trial): Promise<readonly Finding[]>;
}

/** A number that must be zero. */
export function none(promise: string, count: number): Finding {
  return { promise, outcome: count.toLocaleString('en'), holds: count === 0 };
}

/** A number that must not be exceeded. */
export function atMost(limit: number, promise: string, value: number): Finding {
  const outcome = `${value.toLocaleString('en')} (at most ${limit.toLocaleString('en')})`;
  return { promise, outcome, holds: value <= limit };
}

/** A number that must be reached, such as the losses of a control that must lose. */
export function atLeast(limit: number, promise: string, value: number): Finding {
  const outcome = `${value.toLocaleString('en')} (at least ${limit.toLocaleString('en')})`;
  return { promise, outcome, holds: value >= limit };
}

/**
 * Tries the whole amount, a bounded number at a time. The order in which items are made is fixed, so
 * that a seed makes the same ones again.
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
