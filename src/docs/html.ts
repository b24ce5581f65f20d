/** Text that may stand in a page as it is. */
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

/** Writes markup; whatever is put in and is not markup itself is escaped. */
export function html(literals: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(String.raw({ raw: literals }, ...contents.map(render)));
}

/** Escapes text, and sets what stands between backticks in it as code. */
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
