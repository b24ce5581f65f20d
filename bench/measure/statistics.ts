export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)];
  const lower = sorted[Math.ceil(middle) - 1];
  if (upper === undefined || lower === undefined) throw new Error('An empty list has no median');
  return (lower + upper) / 2;
}

/** The range of the middle half, as a share of the median: one bad round does not count. */
export function spread(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const quarter = Math.floor(sorted.length / 4);
  const middle = sorted.slice(quarter, sorted.length - quarter);
  return ((middle.at(-1) ?? 0) - (middle[0] ?? 0)) / median(numbers);
}
