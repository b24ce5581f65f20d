/** A brownout of getPet, a quarter of an hour long. */
export function brownoutFrom(startsAtMs: number, endsAtMs = startsAtMs + 900_000) {
  return { id: 1, operation: 'getPet', startsAtMs, endsAtMs, createdAtMs: 0, cancelledAtMs: null };
}
