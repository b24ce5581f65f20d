import { type ComponentChildren, Fragment, h, type VNode } from 'preact';
import { Code, CopyButton } from './code.tsx';

/** Paragraphs in Markdown, or an element between them. */
export type Block = string | VNode;

export function Blocks({ of }: { of: readonly Block[] }) {
  return of.map((block) =>
    typeof block === 'string' ? elementsOf(block, { pre: FencedCode }) : block,
  );
}

/** Markdown within a paragraph: `code`, **bold** words and [links](https://commonmark.org). */
export function Prose({ text }: { text: string }) {
  return elementsOf(text, { p: Fragment });
}

/** A block of code in Markdown. */
export function fenced(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}

/** The words of Markdown, without markup and addresses, and without code blocks. */
export function wordsOfMarkdown(text: string): string {
  const spaced = (children: string) => `${children} `;
  const words = { paragraph: spaced, listItem: spaced, code: () => '' };
  return Bun.markdown.render(text, words, OPTIONS).replace(/\s+/g, ' ').trim();
}

/** A text such as `Bearer <API key>` is not HTML. */
const OPTIONS = { noHtmlBlocks: true, noHtmlSpans: true };

function elementsOf(markdown: string, components: Bun.markdown.ComponentOverrides) {
  const { props } = Bun.markdown.react(markdown, components, OPTIONS) as VNode;
  return toPreact(props.children);
}

/** The elements that Bun makes are those of React. */
function toPreact(node: ComponentChildren): ComponentChildren {
  if (Array.isArray(node)) return node.map(toPreact);
  if (typeof node !== 'object') return node;
  const { type, props } = node as VNode;
  const { children, ...attributes } = props;
  return h(type as 'p', attributes, toPreact(children));
}

/** Readers copy commands and programs. They only read HTTP and JSON, which have no button. */
function FencedCode({ language = '', children }: Bun.markdown.CodeBlockProps) {
  const code = <Code language={language} code={children.join('').trim()} />;
  if (language === 'http' || language === 'json') return code;
  return (
    <div class="panel">
      <div class="line needs-script">
        <CopyButton />
      </div>
      {code}
    </div>
  );
}
