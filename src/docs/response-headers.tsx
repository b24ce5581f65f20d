import {
  COMMON_HEADERS,
  HEADERS,
  type HeaderDefinition,
  type HeaderName,
  wireName,
} from '../contract/headers.ts';
import { Code } from './code.tsx';
import type { Section } from './page.tsx';
import { Prose } from './prose.tsx';
import { Row, SectionHeading } from './row.tsx';

const COMMON: readonly HeaderName[] = COMMON_HEADERS;
export const HEADER_NAMES = Object.keys(HEADERS) as HeaderName[];

/** Every header of the API, explained once. */
export function headersSection(): Section {
  const id = 'headers';
  const title = 'Response headers';
  return {
    ...{ id, title, summary: 'The headers that every response carries, and the others' },
    body: (
      <Row side={<Code language="http" code={exampleOf(COMMON_HEADERS)} />}>
        <SectionHeading id={id}>{title}</SectionHeading>
        <h3>On every response</h3>
        <HeaderList headers={COMMON} />
        <h3>On some responses</h3>
        <HeaderList headers={HEADER_NAMES.filter((name) => !COMMON.includes(name))} />
      </Row>
    ),
  };
}

function HeaderList({ headers }: { headers: readonly HeaderName[] }) {
  return (
    <dl class="headers">
      {headers.map((header) => (
        <div key={header} id={headerId(header)}>
          <dt>
            <code>{wireName(header)}</code>
          </dt>
          <dd>
            <Prose text={HEADERS[header].description} />
          </dd>
        </div>
      ))}
    </dl>
  );
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
