import type { LanguageId } from './samples/sample.ts';

export type CodeLanguage = LanguageId | 'json' | 'http';

/** A piece of code, with the colour it gets. */
export interface Token {
  readonly kind?: 'keyword' | 'string' | 'number' | 'comment' | 'name' | undefined;
  readonly text: string;
}

const DOUBLE = /"(?:[^"\\\n]|\\.)*"?/.source;
/** With its last quote, so that a text with a quote and a colon is not a name. */
const CLOSED = /"(?:[^"\\\n]|\\.)*"/.source;
const SINGLE = /'(?:[^'\\\n]|\\.)*'?/.source;
const RAW = /`[^`]*`?/.source;
const NUMBER = /(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?n?\b/.source;
const JAVASCRIPT = new RegExp(
  `(?<comment>//.*)|(?<string>${SINGLE}|${DOUBLE}|${RAW})|(?<number>${NUMBER})|` +
    '(?<keyword>\\b(?:const|let|await|new|if|throw|import|from|true|false|null|undefined)\\b)|' +
    '(?<name>\\b\\w+(?=\\())',
  'g',
);

/** For each language, a pattern that finds what gets a colour. */
const PATTERNS: Readonly<Record<CodeLanguage, RegExp>> = {
  curl: new RegExp(
    `(?<comment>(?<=^|\\s)#.*)|(?<string>'[^']*'?|"(?:[^"\\\\]|\\\\[^])*"?)|` +
      '(?<keyword>(?<=\\s)--?[a-zA-Z][\\w-]*)|(?<name>^curl\\b)',
    'gm',
  ),
  typescript: JAVASCRIPT,
  fetch: JAVASCRIPT,
  python: new RegExp(
    `(?<comment>#.*)|(?<string>(?:\\b[fb])?(?:${DOUBLE}|${SINGLE}))|(?<number>${NUMBER})|` +
      '(?<keyword>\\b(?:import|from|with|as|try|except|raise|if|not|True|False|None)\\b)|' +
      '(?<name>\\b\\w+(?=\\())',
    'g',
  ),
  go: new RegExp(
    `(?<comment>//.*)|(?<string>${DOUBLE}|${RAW})|(?<number>${NUMBER})|` +
      '(?<keyword>\\b(?:package|import|func|type|struct|var|if|defer|nil|int64|string)\\b)|' +
      '(?<name>\\b\\w+(?=\\())',
    'g',
  ),
  json: new RegExp(
    `(?<name>${CLOSED}(?=\\s*:))|(?<string>${DOUBLE})|(?<number>${NUMBER})|` +
      '(?<keyword>\\b(?:true|false|null)\\b)',
    'g',
  ),
  http: /(?<keyword>^HTTP\/\S+)|(?<name>^[\w-]+(?=:))|(?<number>(?<=^HTTP\/\S+ )\d{3})/gm,
};

/** The code in pieces. Joined together, they are the code again. */
export function tokensOf(language: CodeLanguage, code: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const { 0: text, index, groups = {} } of code.matchAll(PATTERNS[language])) {
    if (text === '') continue;
    if (index > end) tokens.push({ text: code.slice(end, index) });
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
    tokens.push({ kind: kind as Token['kind'], text });
    end = index + text.length;
  }
  if (end < code.length) tokens.push({ text: code.slice(end) });
  return tokens;
}
