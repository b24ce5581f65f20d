interface CodeProps {
  /** A language of the samples, or that of a code block in Markdown. */
  readonly language: string;
  readonly code: string;
}

/** Code with colors. It takes the focus, so that the keyboard can scroll it. */
export function Code({ language, code }: CodeProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide block scrolls.
    <pre class="code" tabIndex={0}>
      <code>
        {tokensOf(language, code).map(({ kind, text }) =>
          kind === undefined ? text : <span class={`code-${kind}`}>{text}</span>,
        )}
      </code>
    </pre>
  );
}

/** The script in `browser/reference.ts` handles the clicks. */
export function CopyButton({ what = 'code' }) {
  return (
    <button type="button" class="copy secondary small needs-script" aria-live="polite">
      Copy<span class="hidden"> {what}</span>
    </button>
  );
}

/** A piece of code, with the color it gets. */
interface Token {
  readonly kind?: string | undefined;
  readonly text: string;
}

/**
 * The parts of a program that get a color. A string may lack its closing quote. A name in JSON must have it:
 * otherwise a text that contains a colon would look like a name. A comment must follow white space, so that
 * the `//` of an address does not begin one.
 */
const PROGRAM = patternOf({
  name: /"(?:[^"\\\n]|\\.)*"(?=\s*:)|\b\w+(?=\()/,
  comment: /(?<=^|\s)(?:\/\/|#).*/,
  string: /"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`[^`]*`?/,
  number: /(?<![\w.])-?\d+(?:\.\d+)?n?\b/,
  keyword: new RegExp(
    '\\b(?:const|let|await|new|throw|import|from|null|undefined|true|false|if|for|while|of|' +
      'with|as|try|except|raise|package|func|var|defer|nil)\\b',
  ),
});

const SHELL = patternOf({
  comment: /(?<=^|\s)#.*/,
  string: /'[^']*'?|"[^"]*"?/,
  keyword: /(?<=\s)--?[a-zA-Z][\w-]*/,
  name: /^curl\b/,
});

/** All other languages share one pattern. */
const PATTERNS: Readonly<Record<string, RegExp>> = {
  curl: SHELL,
  sh: SHELL,
  http: patternOf({ name: /^[\w-]+(?=:)/ }),
};

/** Joins the patterns of all kinds. The name of the group that matches is the kind. */
function patternOf(kinds: Readonly<Record<string, RegExp>>): RegExp {
  const groups = Object.entries(kinds).map(([kind, { source }]) => `(?<${kind}>${source})`);
  return new RegExp(groups.join('|'), 'gm');
}

/** Splits code into pieces, which are the same code again when they are joined. */
export function tokensOf(language: string, code: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const { 0: text, index, groups = {} } of code.matchAll(PATTERNS[language] ?? PROGRAM)) {
    if (index > end) tokens.push({ text: code.slice(end, index) });
    tokens.push({ kind: Object.keys(groups).find((name) => groups[name] !== undefined), text });
    end = index + text.length;
  }
  if (end < code.length) tokens.push({ text: code.slice(end) });
  return tokens;
}
