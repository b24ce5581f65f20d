import type { VNode } from 'preact';
import type { SearchEntry } from './browser/search.ts';
import { type Block, wordsOfMarkdown } from './markdown.tsx';
import { type Definition, DefinitionList, type Page, type Section } from './section.tsx';

/** Everything that the search finds: the pages, their sections and steps, and rows with an anchor. */
export function searchIndex(pages: readonly Page[]): SearchEntry[] {
  // Of two equal matches, the one on the more specific page comes first.
  return pages.toReversed().flatMap(({ path, title, words = '', introduction, groups }) => {
    const href = path.slice(1);
    const sections = groups.flatMap((group) => group.sections);
    return [
      { title, place: 'Page', words, text: textOf(introduction), href },
      ...sections.flatMap((section) => sectionEntries(title, href, section)),
    ];
  });
}

function sectionEntries(place: string, page: string, section: Section): SearchEntry[] {
  const { id, title, status = '', words = '', prose, steps = [] } = section;
  const text = textOf([prose, steps.map((step) => step.title)]);
  return [
    { title, place, words: `${status} ${words}`, text, href: `${page}#${id}` },
    ...steps.flatMap((step) => sectionEntries(title, page, step)),
    ...prose.flatMap(rowsOf).flatMap(([name, meaning, { id, words = '', note } = {}]) => {
      if (id === undefined) return [];
      const text = textOf([meaning, note]);
      return { title: name, place: title, words, text, href: `${page}#${id}` };
    }),
  ];
}

/** The rows of a definition list. Any other paragraph has none. */
function rowsOf(part: Block): readonly Definition[] {
  if (typeof part === 'string' || part.type !== DefinitionList) return [];
  return (part as VNode<{ of: Definition[] }>).props.of;
}

/**
 * The words of some content, with its lists and tables, and without markup and addresses. A row with an
 * anchor is left out, because it is a separate entry.
 */
function textOf(content: unknown): string {
  if (Array.isArray(content)) return content[2]?.id ? '' : content.map(textOf).join(' ').trim();
  if (typeof content !== 'object') return wordsOfMarkdown(`${content || ''}`);
  const { of, rows, text, children } = Object(content).props ?? {};
  return textOf(of ?? rows ?? text ?? children);
}
