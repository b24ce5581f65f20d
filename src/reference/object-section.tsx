import type { VNode } from 'preact';
import { ERRORS_PAGE } from '#contract/api.ts';
import { CONTRACTS } from '#contract/environment.ts';
import { HEADERS, type HeaderName, wireName } from '#contract/headers.ts';
import { OPERATIONS, type Operation } from '#contract/operations.ts';
import { type JsonSchema, namedSchemas, nameOfRef, refTo, schemaOf } from '#contract/schemas.ts';
import type { Environment } from '#domain/environment.ts';
import { errorExample, headersExample, writeExample } from './example.tsx';
import { fenced } from './markdown.tsx';
import { type Definition, DefinitionList, type Section } from './section.tsx';

/** An example of each object that a request or a response consists of, by its reference. */
const EXAMPLES = new Map<string | undefined, unknown>(
  Object.values<Operation>(OPERATIONS)
    .flatMap(({ body, success }) => (body === undefined ? [success] : [body, success]))
    .map(({ schema, example }) => [schemaOf(schema).$ref, example]),
).set(refTo('Error'), errorExample('pet_not_found'));

export function objectSections(): Section[] {
  return Object.entries(OBJECTS).map(([name, shape]) => {
    const { description, properties, items } = shape;
    const id = objectId(name);
    return {
      id,
      title: name,
      words: shape.enum
        ? 'enum possible values'
        : 'schema type object body field property required optional',
      side: [fenced('json', writeExample(EXAMPLES.get(refTo(name)) ?? shape.enum?.[0]))],
      prose: [
        description ?? '',
        properties === undefined ? (
          `${items === undefined ? 'A' : 'An'} ${typeOf(shape)}: ${boundsOf(shape)}.`
        ) : (
          <DefinitionList
            of={fieldsOf(shape).map((field) => definitionOf(field, `${id}-${field.name}`))}
          />
        ),
      ],
    };
  });
}

/** Every header of the API, explained once. */
export function headersSection(environment: Environment): Section {
  const { headers, commonHeaders } = CONTRACTS[environment];
  // A header with several uses is listed once, with all of them.
  const byName = Map.groupBy(Object.entries(headers), ([name]) => wireName(name));
  const definitions = Array.from(byName, ([name, uses]): Definition => {
    const descriptions = uses.map(([, { description }]) => description);
    return [name, descriptions.join(' '), { id: headerId(name) }];
  });
  const isCommon = ([name]: Definition) => commonHeaders.some((common) => common === name);
  return {
    id: 'headers',
    title: 'Response headers',
    side: [fenced('http', headersExample(commonHeaders, headers))],
    prose: [
      '### On every response',
      <DefinitionList of={definitions.filter(isCommon)} />,
      '### On some responses',
      <DefinitionList of={definitions.filter((definition) => !isCommon(definition))} />,
    ],
  };
}

/** A header of the API, with its meaning. */
export function headerDefinition(header: HeaderName, href?: string): Definition {
  return [wireName(header), HEADERS[header].description, { href }];
}

/** The anchor of a header. */
export function headerId(header: string): string {
  return `header-${wireName(header)}`;
}

const OBJECTS: Readonly<Record<string, JsonSchema>> = namedSchemas();

/** The anchor of an object on the reference page. */
function objectId(name: string): string {
  return `schema-${name}`;
}

/** The type of a value, with a link if it is an object of the API. */
export function typeOf({ $ref, type, format, items }: JsonSchema): string {
  if ($ref !== undefined) return `[${nameOfRef($ref)}](#${objectId(nameOfRef($ref))})`;
  if (items !== undefined) return `array of ${typeOf(items)}`;
  return format === undefined ? `${type}` : `${type} (${format})`;
}

/** The allowed values in a few words. The bounds of an int64 are left out, and a text describes its length. */
function boundsOf(shape: JsonSchema): string {
  const { minimum, maximum, maxItems, default: absent } = shape;
  const bounds = [
    shape.enum?.join(', '),
    typeof minimum === 'number' && `${minimum} to ${maximum}`,
    maxItems && `up to ${maxItems}`,
    absent !== undefined && `default ${absent}`,
  ];
  return bounds.filter(Boolean).join('; ');
}

/** The schema that a reference points to. Any other schema stays as it is. */
export function resolve(shape: JsonSchema): JsonSchema {
  return OBJECTS[nameOfRef(shape.$ref ?? '')] ?? shape;
}

/** A field of an object, or a parameter. */
export interface Field {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

export function fieldsOf({ properties = {}, required = [] }: JsonSchema): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    description: meaningOf(schema),
    required: required.includes(name),
    schema,
  }));
}

/** The meaning of a field. The table of all error codes is replaced by a link to its page. */
function meaningOf(shape: JsonSchema): string {
  const description = shape.description ?? resolve(shape).description ?? '';
  return description.startsWith('|')
    ? `The error code. See [all codes](${ERRORS_PAGE}).`
    : description;
}

/** A field with its type and its allowed values. */
export function definitionOf(field: Field, id?: string, input?: VNode): Definition {
  const { name, description, required, schema } = field;
  const type = `${typeOf(schema)} ${required ? '**required**' : 'optional'}`;
  return [name, description, { id, type, note: boundsOf(schema), input }];
}
