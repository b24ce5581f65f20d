/**
 * Removes keys from a text, because a service may echo them. Also finds keys escaped for JSON or a
 * URL. Longest first: if one key is a prefix of another, the rest of the longer one would stay.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const longestFirst = secrets.toSorted((one, other) => other.length - one.length);
  const patterns = longestFirst.map((secret) => [...secret].map(characterPattern).join(''));
  const anySecret = new RegExp(patterns.join('|'), 'gi');
  return (text) => text.replace(anySecret, '(key)');
}

/** Matches a character literally, escaped in JSON, or encoded in a URL. */
function characterPattern(character: string): string {
  const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
  return `(?:\\\\?${RegExp.escape(character)}|\\\\u00${hex}|%${hex})`;
}
