import { COMMON_HEADERS, HEADERS, type HeaderName, wireName } from '../contract/headers.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { ENVIRONMENT, ENVIRONMENT_HEADER } from '../contract/staging.ts';
import { Code } from './code.tsx';
import { errorExample, headersExample, JsonExample } from './example.tsx';
import { DefinitionList } from './prose.tsx';
import type { Section } from './section.tsx';
import { boundsOf, FieldTable, OBJECTS, objectId, TypeOf } from './shape.tsx';

const EXAMPLES: Readonly<Record<string, unknown>> = {
  NewPet: OPERATIONS.createPet.body.example,
  Pet: OPERATIONS.createPet.success.example,
  Pets: OPERATIONS.listPets.success.example,
  Error: errorExample('pet_not_found'),
};

export function objectSections(): Section[] {
  return Object.entries(OBJECTS).map(([name, shape]) => {
    const { description, properties, items } = shape;
    const id = objectId(name);
    return {
      id,
      title: name,
      side: <JsonExample of={EXAMPLES[name] ?? shape.enum?.[0]} />,
      prose: [
        description ?? '',
        properties === undefined ? (
          <p>
            {items === undefined ? 'A' : 'An'} <TypeOf shape={shape} />: {boundsOf(shape)}.
          </p>
        ) : (
          <FieldTable shape={shape} id={id} />
        ),
      ],
    };
  });
}

const COMMON: readonly HeaderName[] = COMMON_HEADERS;
const SOME = (Object.keys(HEADERS) as HeaderName[]).filter((name) => !COMMON.includes(name));

/** Every header of the API, explained once. */
export function headersSection(isStaging: boolean): Section {
  const environment = {
    id: 'header-environment',
    name: ENVIRONMENT_HEADER,
    meaning: ENVIRONMENT.description,
  };
  const common = COMMON.map(headerDefinition);
  return {
    id: 'headers',
    title: 'Response headers',
    words: 'headers',
    side: <Code language="http" code={headersExample(COMMON)} />,
    prose: [
      <h3>On every response</h3>,
      <DefinitionList definitions={isStaging ? [...common, environment] : common} />,
      <h3>On some responses</h3>,
      <DefinitionList definitions={SOME.map(headerDefinition)} />,
    ],
  };
}

function headerDefinition(header: HeaderName) {
  return {
    id: headerId(header),
    name: wireName(header),
    meaning: HEADERS[header].description,
  };
}

/** The anchor of a header. */
export function headerId(header: HeaderName): string {
  return `header-${header}`;
}
