import type { VNode } from 'preact';
import type { SearchEntry } from './browser/search.ts';
import {
  type Definition,
  DefinitionList,
  type Page,
  type Paragraph,
  type Section,
} from './section.tsx';

/** Everything that the search finds: the pages, their sections, and rows with an anchor. */
export function searchIndex(pages: readonly Page[]): SearchEntry[] {
  return pages.flatMap(({ path, title, words = '', introduction, groups }) => {
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
  const content = [...prose, ...steps.flatMap((step) => [step.title, ...step.prose])];
  return [
    { title, place, words: `${status} ${words}`, text: textOf(content), href: `${page}#${id}` },
    ...content.flatMap(rowsOf).flatMap(([name, meaning, { id } = {}]) => {
      const row = { title: name, place: title, words: '', text: textOf([meaning]) };
      return id === undefined ? [] : { ...row, href: `${page}#${id}` };
    }),
  ];
}

/** The rows of a list. Nothing for any other paragraph. */
function rowsOf(part: Paragraph): readonly Definition[] {
  if (typeof part === 'string' || part.type !== DefinitionList) return [];
  return (part as VNode<{ of: Definition[] }>).props.of;
}

/** The text and the lists, without marks and addresses. */
function textOf(content: readonly Paragraph[]): string {
  const texts = content.map((part) =>
    typeof part === 'string'
      ? part
      : rowsOf(part)
          .map((row) => `${row[0]} ${row[1]}`)
          .join(' '),
  );
  return texts.join(' ').replace(/\]\(.*?\)|[`*[]/g, '');
}
