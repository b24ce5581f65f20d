import { type CodeLanguage, tokensOf } from './code-tokens.ts';

interface CodeProps {
  readonly language: CodeLanguage;
  readonly code: string;
}

/** Code with colours. It takes the focus, so that the keyboard can scroll it. */
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
