export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)];
  const lower = sorted[Math.ceil(middle) - 1];
  if (upper === undefined || lower === undefined) throw new Error('There is no median of nothing');
  return (lower + upper) / 2;
}

/** How far apart the rounds were: (largest - smallest) / median. One round says nothing of it. */
export function spread(numbers: readonly number[]): number | undefined {
  if (numbers.length < 2) return undefined;
  return (Math.max(...numbers) - Math.min(...numbers)) / median(numbers);
}

/**
 * The ratio of each round by itself: whatever slowed a whole round down slowed both sides of it.
 * Rounds that only one side has are left out.
 */
export function ratios(numerators: readonly number[], denominators: readonly number[]): number[] {
  const rounds = Math.min(numerators.length, denominators.length);
  return Array.from(
    { length: rounds },
    (_, round) => (numerators[round] as number) / (denominators[round] as number),
  );
}
