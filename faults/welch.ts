/** Slower samples were interrupted by something else. */
const KEPT_SHARE = 0.95;

interface Summary {
  readonly mean: number;
  /** The variance of the mean. */
  readonly variance: number;
}

/**
 * How surely two sets of times differ: Welch's t, without its sign. As dudect does, it leaves out
 * the slowest samples of both sets, by one limit for both.
 */
export function welchT(a: readonly number[], b: readonly number[]): number {
  const all = [...a, ...b].sort((left, right) => left - right);
  const longest = all[Math.floor(all.length * KEPT_SHARE)] ?? Number.POSITIVE_INFINITY;
  const first = summarize(a.filter((time) => time <= longest));
  const second = summarize(b.filter((time) => time <= longest));
  return Math.abs(first.mean - second.mean) / Math.sqrt(first.variance + second.variance);
}

function summarize(times: readonly number[]): Summary {
  let sum = 0;
  for (const time of times) sum += time;
  const mean = sum / times.length;
  let squares = 0;
  for (const time of times) squares += (time - mean) ** 2;
  return { mean, variance: squares / (times.length - 1) / times.length };
}
