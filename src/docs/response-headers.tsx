import {
  COMMON_HEADERS,
  HEADERS,
  type HeaderDefinition,
  type HeaderName,
  wireName,
} from '../contract/headers.ts';
import { ENVIRONMENT } from '../contract/staging-api.ts';
import { ENVIRONMENT_HEADER } from '../contract/staging-headers.ts';
import { Code } from './code.tsx';
import type { Section } from './page.tsx';
import { Prose } from './prose.tsx';
import { Row, SectionHeading } from './row.tsx';

const COMMON: readonly HeaderName[] = COMMON_HEADERS;
export const HEADER_NAMES = Object.keys(HEADERS) as HeaderName[];

/** Every header of the API, explained once. */
export function headersSection(isStaging: boolean): Section {
  const id = 'headers';
  const title = 'Response headers';
  return {
    ...{ id, title, summary: 'The headers that every response carries, and the others' },
    body: (
      <Row side={<Code language="http" code={exampleOf(COMMON_HEADERS)} />}>
        <SectionHeading id={id}>{title}</SectionHeading>
        <h3>On every response</h3>
        <HeaderList headers={COMMON} />
        {isStaging && (
          <dl class="headers">
            <Entry id="header-environment" name={ENVIRONMENT_HEADER} of={ENVIRONMENT} />
          </dl>
        )}
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
        <Entry key={header} id={headerId(header)} name={wireName(header)} of={HEADERS[header]} />
      ))}
    </dl>
  );
}

function Entry({ id, name, of }: { id: string; name: string; of: HeaderDefinition }) {
  return (
    <div id={id}>
      <dt>
        <code>{name}</code>
      </dt>
      <dd>
        <Prose text={of.description} />
      </dd>
    </div>
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
