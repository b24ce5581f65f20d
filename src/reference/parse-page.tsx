import { ERRORS_PAGE } from '#contract/api.ts';
import { API_RULES } from '#contract/description.ts';
import { ERRORS } from '#contract/errors.ts';
import { fillIn } from '#formats/template.ts';
import type { Block } from './markdown.tsx';
import { type Definition, DefinitionList, type Page, type Section } from './section.tsx';

/** The value of each placeholder: Markdown, its list, or an element for a placeholder that is a whole paragraph. */
export type PageValues = Readonly<Record<string, Block | readonly string[]>>;

/** The rules of the whole API, in which every error code is a link to its explanation. */
const LINKED_RULES = Object.fromEntries(
  Object.entries(API_RULES).map(([name, text]) => [
    name,
    text.replace(/`(\w+)`/g, (code, word) =>
      word in ERRORS ? `[${code}](${ERRORS_PAGE}#${word})` : code,
    ),
  ]),
);

/**
 * Reads a page of the folder `pages`. The README says how they are written. The sections are one group, with the title
 * of the page.
 */
export function parsePage(path: string, markdown: string, values: PageValues) {
  const filled = fillIn(markdown, { ...LINKED_RULES, ...values });
  const [head = '', ...sections] = filled.split(/^(?=## )/m);
  const { title, summary = '', words, prose } = parsePart(head, values);
  const group = { title, sections: sections.map((section) => parseSection(section, values)) };
  return {
    path,
    title,
    summary,
    words,
    introduction: prose,
    groups: [group] as const,
  } satisfies Page;
}

/** Numbered parts of a section are steps, and the others are rows of a list. */
function parseSection(markdown: string, values: PageValues): Section {
  const [own = '', ...parts] = markdown.split(/^(?=### )/m);
  const section = parsePart(own, values);
  const steps = parts.map((part) => parsePart(part, values));
  if (parts.every((part) => /^### \d/.test(part))) return { ...section, steps };
  const rows = steps.map(
    ({ title, prose, id, words }): Definition => [title, `${prose}`, { id, words }],
  );
  return { ...section, prose: [<DefinitionList of={rows} />] };
}

/** Reads a heading, its comments, and its blocks. Those below a line are shown next to the others. */
function parsePart(markdown: string, values: PageValues) {
  const [, title = '', anchor, text = ''] =
    /^#+ (?:\d+\. )?(.+?)(?: \{#([\w-]+)\})?$(.*)/ms.exec(markdown) ?? [];
  const comment = (name: string) =>
    new RegExp(`<!-- ${name}: (.*?) -->`, 's').exec(text)?.[1]?.replaceAll('\n', ' ');
  const [prose = '', side = ''] = text.replace(/<!-- .*? -->/gs, '').split(/^---$/m);
  return {
    id: anchor ?? title.toLowerCase().replace(/\W+/g, '-'),
    title,
    summary: comment('summary'),
    words: comment('search'),
    prose: parseBlocks(prose, values),
    side: parseBlocks(side, values),
  };
}

/** Splits a text at the placeholders of elements. */
function parseBlocks(markdown: string, values: PageValues): Block[] {
  return markdown
    .split(/^\{\{(\w+)\}\}$/m)
    .map((part, i) => (i % 2 === 0 ? part.trim() : ((values[part] ?? '') as Block)))
    .filter((block) => block !== '');
}
