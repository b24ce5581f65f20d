const FEWEST_CHARACTERS = 3;

/** The only candidate that was probably meant: with other case, completed, or with a typing error. */
export function closeMatch(text: string, candidates: readonly string[]): string | undefined {
  const typed = text.toLowerCase();
  const tests: ((candidate: string) => boolean)[] = [
    (candidate) => candidate === typed,
    (candidate) => typed.length >= FEWEST_CHARACTERS && candidate.startsWith(typed),
    (candidate) => distance(typed, candidate) === 1,
    (candidate) => typed.length > 2 * FEWEST_CHARACTERS && distance(typed, candidate) === 2,
  ];
  for (const isClose of tests) {
    const close = candidates.filter((candidate) => isClose(candidate.toLowerCase()));
    // A wrong suggestion is worse than none.
    if (close.length > 0) return close.length === 1 ? close[0] : undefined;
  }
  return undefined;
}

/** The number of characters to insert, delete, replace or swap with their neighbor. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Number.POSITIVE_INFINITY;
  let [beforeLast, last]: [number[], number[]] = [
    [],
    Array.from({ length: b.length + 1 }, (_, j) => j),
  ];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(last, j - 1) + Number(a[i - 1] !== b[j - 1]);
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? at(beforeLast, j - 2) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(replaced, swapped, at(row, j - 1) + 1, at(last, j) + 1));
    }
    [beforeLast, last] = [last, row];
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
