export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [lower, upper] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  if (upper === undefined || lower === undefined) throw new Error('An empty list has no median');
  return (lower + upper) / 2;
}

/** Half the range of the middle half, as a share of the median: one bad window does not count. */
export function spread(numbers: readonly number[]): number {
  const quarter = Math.floor(numbers.length / 4);
  const middle = numbers.toSorted((a, b) => a - b).slice(quarter, numbers.length - quarter);
  return ((middle.at(-1) ?? 0) - (middle[0] ?? 0)) / 2 / median(numbers);
}

export function ratios(numerators: readonly number[], denominators: readonly number[]): number[] {
  return numerators.map((numerator, index) => numerator / (denominators[index] as number));
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
