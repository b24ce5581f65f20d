/**
 * A percentile in the unit of the bounds, interpolated inside of its bucket, as Prometheus does.
 * Undefined without a value. In the last bucket, which has no upper bound, it is the lower one.
 */
export function percentile(
  bounds: readonly number[],
  counts: readonly number[],
  part: number,
): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  const rank = part * total;
  let below = 0;
  for (const [bucket, count] of counts.entries()) {
    const lower = bounds[bucket - 1] ?? 0;
    const upper = bounds[bucket] ?? lower;
    if (count > 0 && below + count >= rank) {
      return lower + (upper - lower) * Math.max(0, (rank - below) / count);
    }
    below += count;
  }
  return bounds.at(-1);
}
