import { EXAMPLE_URL } from '#contract/headers.ts';
import { Island } from './browser/islands.tsx';
import { Blocks, fenced, Prose } from './markdown.tsx';
import { LANGUAGES } from './samples/languages.ts';
import { type Page, SectionContent } from './section.tsx';
import { Table } from './table.tsx';

/**
 * Writes a page as Markdown, for programs. It is made of the elements of the HTML page, so that both say the same.
 * Links to other pages are absolute, because a program may read a page without its address.
 */
export function pageToMarkdown({ title, introduction, groups }: Page): string {
  const sections = groups.flatMap((group) => group.sections);
  const content = sections.map((section) => <SectionContent section={section} />);
  return write(<Blocks of={[`# ${title}`, ...introduction, ...content]} />)
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .replace(/\]\((\/(?:docs|usage)[/\w]*)/g, ']($1.md')
    .replaceAll('](/', `](${EXAMPLE_URL}/`);
}

/** Any component or element that is not listed adds nothing to its content. */
function write(node: unknown): string {
  if (Array.isArray(node)) return node.map(write).join('');
  if (typeof node !== 'object') return `${node || ''}`;
  const { type, props = {} } = Object(node);
  switch (type) {
    case Prose:
      return props.text;
    case Blocks:
      return `\n\n${props.of.map(write).join('\n\n')}\n\n`;
    case Table: {
      const rows = [props.columns, props.columns.map(() => '---'), ...props.rows];
      return rows.map((row) => `| ${row.map(write).join(' | ')} |`).join('\n');
    }
    case Island: {
      const { request, loop = 'request', example } = props.props;
      return [
        ...LANGUAGES.map(({ title, [loop as 'request']: write }) => [title, title, write(request)]),
        ...(example ? [[`Response ${example.title}`, 'json', example.body]] : []),
      ]
        .map(([title, language, code]) => `${title}:\n\n${fenced(language.toLowerCase(), code)}`)
        .join('\n\n');
    }
    case 'h2':
    case 'h3':
      return `\n\n${'#'.repeat(type[1])} ${write(props.children)}`;
    case 'dt':
      return `\n- ${write(props.children).trim()}: `;
  }
  if (typeof type === 'function') return write(type(props));
  return props.class?.includes('needs-script') ? '' : write(props.children);
}
