/** A string may lack its end, because a search for it at every quote would take minutes. */
const TOKENS = /"(?:[^"\\]|\\.)*"?|\[\s*\]|\{\s*\}|[[\]{},:]|\s+/g;

/** Deeper lines keep this indentation: the text would grow with the square of the depth. */
const MAX_DEPTH = 32;

/** Indents JSON without parsing it: `JSON.parse` would round ids beyond 2^53. */
export function indentJson(json: string): string {
  let depth = 0;
  const line = () => `\n${'  '.repeat(Math.min(Math.max(0, depth), MAX_DEPTH))}`;
  return json.replace(TOKENS, (token) => {
    switch (token) {
      case ':':
        return ': ';
      case ',':
        return `,${line()}`;
      case '[':
      case '{':
        depth++;
        return token + line();
      case ']':
      case '}':
        depth--;
        return line() + token;
      default:
        return token.startsWith('"') ? token : token.replace(/\s+/g, '');
    }
  });
}
