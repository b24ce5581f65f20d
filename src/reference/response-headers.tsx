import {
  COMMON_HEADERS,
  HEADERS,
  type HeaderDefinition,
  type HeaderName,
  wireName,
} from '../contract/headers.ts';
import { ENVIRONMENT, ENVIRONMENT_HEADER } from '../contract/staging.ts';
import { Code } from './code.tsx';
import { DefinitionList } from './definition-list.tsx';
import type { Section } from './page.tsx';
import { proseSection } from './prose-section.tsx';

const COMMON: readonly HeaderName[] = COMMON_HEADERS;
const SOME = (Object.keys(HEADERS) as HeaderName[]).filter((name) => !COMMON.includes(name));

/** Every header of the API, explained once. */
export function headersSection(isStaging: boolean): Section {
  return proseSection({
    id: 'headers',
    title: 'Response headers',
    summary: 'The headers that every response carries, and the others',
    side: <Code language="http" code={exampleOf(COMMON)} />,
    prose: (
      <>
        <h3>On every response</h3>
        <DefinitionList definitions={definitionsOf(COMMON, isStaging)} />
        <h3>On some responses</h3>
        <DefinitionList definitions={definitionsOf(SOME)} />
      </>
    ),
  });
}

/** Every header, with its anchor. */
export function headerDefinitions(isStaging: boolean) {
  return definitionsOf([...COMMON, ...SOME], isStaging);
}

function definitionsOf(headers: readonly HeaderName[], isStaging = false) {
  const environment = { name: ENVIRONMENT_HEADER, meaning: ENVIRONMENT.description };
  return [
    ...headers.map((header) => ({
      id: headerId(header),
      name: wireName(header),
      meaning: HEADERS[header].description,
    })),
    ...(isStaging ? [{ ...environment, id: 'header-environment' }] : []),
  ];
}

/** The headers as a response has them. */
export function exampleOf(headers: readonly HeaderName[]): string {
  return headers
    .map((header) => {
      const { example }: HeaderDefinition = HEADERS[header];
      return `${wireName(header)}: ${example}`;
    })
    .join('\n');
}

/** The anchor of a header. */
export function headerId(header: HeaderName): string {
  return `header-${header}`;
}
