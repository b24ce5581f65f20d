import { h } from 'preact';
import { render } from 'preact-render-to-string';
import type { SearchEntry } from './browser/search.ts';
import { type Page, Paragraphs, SectionContent } from './section.tsx';

/** Rows of lists with an anchor. */
const ROWS = /<div id="([^"]+)"><dt>.*?<code[^>]*>(.*?)<\/code>(.*?)<\/div>/gs;
/** The search shows the heading as the title, and code is not prose. */
const LEFT_OUT = /<h2.*?<\/h2>|<aside.*?<\/aside>/gs;
const TAGS = /<(?:"[^"]*"|[^">])*>/g;
const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&amp;': '&', '&quot;': '"' };

/** Everything that the search finds: the pages, their sections, and rows with an anchor. */
export function searchIndex(pages: readonly Page[]): SearchEntry[] {
  return pages.flatMap(({ path, title: page, words = '', introduction, groups }) => {
    const href = path.slice(1);
    const sections = groups.flatMap((group) => group.sections);
    return [
      {
        title: page,
        place: 'Page',
        words,
        text: textOf(render(h(Paragraphs, { of: introduction }))),
        href,
      },
      ...sections.flatMap((section) => {
        const { id, title, status = '', words = '' } = section;
        const html = render(h(SectionContent, { section }));
        const text = textOf(html);
        return [
          { title, place: page, words: `${status} ${words}`, text, href: `${href}#${id}` },
          ...Array.from(html.matchAll(ROWS), ([, id, name = '', rest = '']) => ({
            title: textOf(name),
            place: title,
            words: '',
            text: textOf(rest),
            href: `${href}#${id}`,
          })),
        ];
      }),
    ];
  });
}

function textOf(html: string): string {
  return html
    .replace(LEFT_OUT, '')
    .replace(TAGS, ' ')
    .replace(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();
}
