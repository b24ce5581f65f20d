/** The names in a list between commas. Throws when one of them is unknown. */
export function namesIn<Name extends string>(list: string, known: readonly Name[]): Name[] {
  return list.split(',').map((word) => {
    const found = known.find((name) => name === word);
    if (found !== undefined) return found;
    throw new Error(`Unknown name "${word}". Choose from: ${known.join(', ')}.`);
  });
}
