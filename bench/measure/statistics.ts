export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [lower, upper] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  if (upper === undefined || lower === undefined) throw new Error('An empty list has no median');
  return (lower + upper) / 2;
}

/**
 * Half of the interval that holds the true median with a probability of about 95 %, as a share of
 * the median. One bad window hardly changes it, and more windows make it smaller.
 */
export function spread(numbers: readonly number[]): number {
  const { length } = numbers;
  const outside = Math.max(0, Math.floor((length - 1.96 * Math.sqrt(length)) / 2));
  const inside = numbers.toSorted((a, b) => a - b).slice(outside, length - outside);
  return ((inside.at(-1) ?? 0) - (inside[0] ?? 0)) / 2 / median(numbers);
}

export function ratios(numerators: readonly number[], denominators: readonly number[]): number[] {
  return numerators.map((numerator, index) => numerator / (denominators[index] as number));
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** The median and its spread, like "2.98 × ±4 %". */
export function withSpread(speeds: readonly number[]): string {
  return `${short(median(speeds))} × ${percent(spread(speeds))}`;
}

/** A spread, like "±4 %". */
export function percent(spread: number): string {
  return `±${Math.round(100 * spread)} %`;
}

/** Rounds to three digits, because the measurements are not more exact. */
export function short(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
