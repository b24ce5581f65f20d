/**
 * Matches a part of an account name in letters of either case, both as GLOB and as a regular
 * expression. No character that a name can contain has a special meaning inside of brackets.
 */
export function namePattern(text: string): string {
  const classes = [...text].map((letter) => {
    const cases = [letter, letter.toLowerCase(), letter.toUpperCase()];
    // Some letters become two in the other case.
    const single = new Set(cases.filter((each) => [...each].length === 1));
    return `[${[...single].join('')}]`;
  });
  return classes.join('');
}
