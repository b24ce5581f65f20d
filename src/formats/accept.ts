/** The weight of each name in a header such as `Accept: text/html, application/json;q=0.8`. */
export function weightsIn(header: string | null): Readonly<Record<string, number>> {
  const entries = (header ?? '').toLowerCase().split(',');
  return Object.fromEntries(
    entries.map((entry) => {
      const [name = '', weight] = entry.trim().split(/\s*;(?:.*q=|.*)/);
      return [name, Number(weight || 1)];
    }),
  );
}

/** The first of the types that the header names with the greatest weight. Undefined if it names none of them. */
export function preferredType(accept: string | null, types: readonly string[]) {
  const weights = weightsIn(accept);
  const weightOf = (type: string) => weights[type] ?? 0;
  return types.filter(weightOf).sort((one, other) => weightOf(other) - weightOf(one))[0];
}
