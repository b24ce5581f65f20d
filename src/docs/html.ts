/** Markup that needs no escaping. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Content = Html | string | number | undefined | readonly Content[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Builds markup. Escapes every value that is not markup itself. */
export function html(literals: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(String.raw({ raw: literals }, ...contents.map(render)));
}

/** Escapes text, and turns backticks into code. */
export function prose(text: string): Html {
  return new Html(escapeText(text).replace(/`([^`]+)`/g, '<code>$1</code>'));
}

function render(content: Content): string {
  if (content === undefined) return '';
  if (content instanceof Html) return content.text;
  if (typeof content === 'object') return content.map(render).join('');
  return escapeText(String(content));
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
