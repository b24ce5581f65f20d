export const INTEGER = /^-?(?:0|[1-9][0-9]*)$/;
const INVISIBLE = /[\u007f-\u009f\u00ad\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** A JSON string. Escapes invisible characters too, and is a literal of JavaScript, Python and Go. */
export function doubleQuoted(text: string): string {
  return JSON.stringify(text).replace(
    INVISIBLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A literal of JavaScript and Python, in which JSON needs no escapes. */
export function singleQuoted(text: string): string {
  const inside = doubleQuoted(text).slice(1, -1);
  return `'${inside.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
