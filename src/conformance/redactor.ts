/**
 * A service may well repeat a key in its answer, also as JSON or an address spells it: nobody gets
 * to see it there either. The longest comes first, lest a key that begins another uncovers its end.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const longestFirst = secrets.toSorted((one, other) => other.length - one.length);
  const spellings = longestFirst.map((secret) => [...secret].map(spelling).join(''));
  const anySpelling = new RegExp(spellings.join('|'), 'gi');
  return (text) => text.replace(anySpelling, '(key)');
}

/** A pattern for a character of a key: as it is, escaped in JSON, or encoded in an address. */
function spelling(character: string): string {
  const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
  return `(?:\\\\?${RegExp.escape(character)}|\\\\u00${hex}|%${hex})`;
}
