import { doubleQuoted, type LiteralStyle, singleQuoted } from './literal.ts';

/** How JavaScript and TypeScript write values, apart from integers. */
export const JAVASCRIPT: Omit<LiteralStyle, 'integer'> = {
  indent: '  ',
  spaceInBraces: true,
  string: javascriptString,
  field: javascriptField,
  words: { true: 'true', false: 'false', null: 'null' },
};

export function javascriptString(text: string): string {
  return text.includes("'") && !text.includes('"') ? doubleQuoted(text) : singleQuoted(text);
}

function javascriptField(name: string): string {
  // As a plain field it would set the prototype.
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : javascriptString(name);
}
