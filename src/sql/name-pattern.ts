const NAME_PART = /^[\p{L}\p{N} ._@-]{1,64}$/u;

/**
 * Matches a part of an account name in letters of either case, both as GLOB and as a regular
 * expression: SQLite cannot change the case of other letters than those of ASCII. Undefined if no name
 * can contain the text.
 */
export function namePattern(text: string): string | undefined {
  if (!NAME_PART.test(text)) return undefined;
  const classes = [...text].map((letter) => {
    const cases = [letter, letter.toLowerCase(), letter.toUpperCase()];
    // Some letters become two in the other case.
    const single = new Set(cases.filter((each) => [...each].length === 1));
    return `[${[...single].join('')}]`;
  });
  return classes.join('');
}
