import { OPERATIONS, type Operation, parametersOf } from '../contract/operations.ts';
import { REFERENCE_PAGE } from '../contract/page-paths.ts';
import { STAGING_OPERATIONS } from '../contract/staging.ts';
import { fieldId } from './object-section.tsx';
import type { Page } from './page.tsx';
import { parameterId } from './parameter-table.tsx';
import { headerDefinitions } from './response-headers.tsx';
import type { SearchEntry } from './search-entries.ts';
import { OBJECTS, resolve } from './shape.tsx';

/** Everything that the search finds. */
export function searchIndex(pages: readonly Page[], isStaging: boolean): SearchEntry[] {
  return [
    ...pages.flatMap(sections),
    ...parameters(isStaging ? STAGING_OPERATIONS : OPERATIONS),
    ...fields(),
    ...headers(isStaging),
  ];
}

function sections({ path, groups }: Page): SearchEntry[] {
  return groups.flatMap((group) =>
    group.sections.map(({ id, title, summary }) => ({
      title,
      kind: kindOf(group.title),
      text: id === title || group.title !== 'Operations' ? summary : `${id} · ${summary}`,
      href: hrefTo(path, id),
    })),
  );
}

function kindOf(group: string): SearchEntry['kind'] {
  if (group === 'Operations') return 'operation';
  if (group === 'Objects') return 'object';
  return group === 'Errors' ? 'error' : 'section';
}

function parameters(operations: Readonly<Record<string, Operation>>): SearchEntry[] {
  return Object.entries(operations).flatMap(([operation, value]) =>
    parametersOf(value).map(({ name, description }) => ({
      title: name,
      kind: 'parameter' as const,
      text: `${value.summary} · ${description}`,
      href: hrefTo(REFERENCE_PAGE, parameterId(operation, name)),
    })),
  );
}

function fields(): SearchEntry[] {
  return Object.entries(OBJECTS).flatMap(([object, { properties = {} }]) =>
    Object.entries(properties).map(([field, shape]) => ({
      title: field,
      kind: 'field' as const,
      text: `${object} · ${firstLine(resolve(shape).description)}`,
      href: hrefTo(REFERENCE_PAGE, fieldId(object, field)),
    })),
  );
}

function headers(isStaging: boolean): SearchEntry[] {
  return headerDefinitions(isStaging).map(({ id, name, meaning }) => ({
    ...{ title: name, kind: 'header', text: meaning },
    href: hrefTo(REFERENCE_PAGE, id),
  }));
}

/** A table has no place in a result. */
function firstLine(description = ''): string {
  return description.startsWith('|') ? '' : description;
}

function hrefTo(path: string, id: string): string {
  return `${path.slice(1)}#${id}`;
}
