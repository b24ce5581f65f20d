import {
  type ComponentChildren,
  type FunctionComponent,
  h,
  isValidElement,
  type VNode,
} from 'preact';
import { Island } from './browser/islands.tsx';
import type { SearchEntry } from './browser/search.ts';
import { type Definition, DefinitionList, type Page, Paragraphs, Prose } from './section.tsx';

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
        text: textOf(h(Paragraphs, { of: introduction })),
        href,
      },
      ...sections.flatMap(({ id, title, status = '', words = '', prose, steps = [] }) => {
        const further = steps.flatMap((step) => [step.title, ...step.prose]);
        const content = h(Paragraphs, { of: [...prose, ...further] });
        const text = textOf(content);
        return [
          { title, place: page, words: `${status} ${words}`, text, href: `${href}#${id}` },
          ...rowsOf(content).flatMap(([name, meaning, { id, type = '', note = '' } = {}]) => {
            if (id === undefined) return [];
            const text = textOf(h(Prose, { text: `${type} ${meaning} ${note}` }));
            return { title: name, place: title, words: '', text, href: `${href}#${id}` };
          }),
        ];
      }),
    ];
  });
}

function textOf(content: ComponentChildren): string {
  if (Array.isArray(content)) return content.map(textOf).join(' ').replace(/\s+/g, ' ').trim();
  if (isValidElement(content)) return textOf(childrenOf(content));
  return typeof content === 'string' || typeof content === 'number' ? String(content) : '';
}

function rowsOf(content: ComponentChildren): readonly Definition[] {
  if (Array.isArray(content)) return content.flatMap(rowsOf);
  if (!isValidElement(content)) return [];
  if (content.type === DefinitionList) return (content as VNode<{ of: Definition[] }>).props.of;
  return rowsOf(childrenOf(content));
}

/** Only a browser can run an island. */
function childrenOf({ type, props }: VNode<object>): ComponentChildren {
  if (type === Island) return null;
  if (typeof type === 'function') return (type as FunctionComponent<object>)(props);
  return (props as { children?: ComponentChildren }).children;
}
