import type { ComponentChildren } from 'preact';
import { type JsonSchema, nameOfRef } from '../contract/json-schema.ts';
import { OPERATIONS, type Operation } from '../contract/operations.ts';
import { ERRORS_PAGE, REFERENCE_PAGE } from '../contract/page-paths.ts';
import { schemaOf } from '../contract/schemas.ts';
import { errorExample, JsonExample } from './example.tsx';
import type { Section } from './page.tsx';
import { PropertyTable } from './property-table.tsx';
import { Prose } from './prose.tsx';
import { proseSection } from './prose-section.tsx';
import { relative } from './relative.ts';
import { boundsOf, OBJECTS, objectId, resolve, TypeOf } from './shape.tsx';

const EXAMPLES = examples();

export function objectSections(): Section[] {
  return Object.entries(OBJECTS).map(([name, shape]) => {
    const example = EXAMPLES.get(name);
    return proseSection({
      id: objectId(name),
      title: name,
      summary: shape.description ?? summaryOf(shape),
      side: example !== undefined && <JsonExample of={example} />,
      prose: (
        <>
          {shape.description && <p>{shape.description}</p>}
          {shape.properties === undefined ? (
            <p>
              {shape.items === undefined ? 'A' : 'An'} <TypeOf shape={shape} />: {boundsOf(shape)}.
            </p>
          ) : (
            <FieldTable of={name} shape={shape} />
          )}
        </>
      ),
    });
  });
}

/** The fields of an object. Each has an anchor, unless the same table is further down. */
export function FieldTable({ of: name, shape, hasAnchors = true }: FieldTableProps) {
  const { properties = {}, required = [] } = shape;
  return (
    <PropertyTable
      of="Field"
      properties={Object.entries(properties).map(([field, value]) => ({
        name: field,
        ...(hasAnchors && { id: fieldId(name, field) }),
        shape: value,
        required: required.includes(field),
        meaning: meaningOf(name, field, value),
      }))}
    />
  );
}

interface FieldTableProps {
  readonly of: string;
  readonly shape: JsonSchema;
  readonly hasAnchors?: boolean;
}

/** The anchor of a field. */
export function fieldId(object: string, field: string): string {
  return `${objectId(object)}-${field}`;
}

function summaryOf({ properties, items }: JsonSchema): string {
  if (items?.$ref !== undefined) return `An array of ${nameOfRef(items.$ref)}`;
  return Object.keys(properties ?? {}).join(', ');
}

/** Another page lists the codes. */
function meaningOf(object: string, field: string, shape: JsonSchema): ComponentChildren {
  if (object === 'Error' && field === 'code') {
    return (
      <>
        The error code. See <a href={relative(REFERENCE_PAGE, ERRORS_PAGE)}>all codes</a>.
      </>
    );
  }
  return <Prose text={resolve(shape).description ?? ''} />;
}

/** From the examples of the operations. */
function examples(): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  for (const { body, success } of Object.values<Operation>(OPERATIONS)) {
    for (const { schema, example } of body === undefined ? [success] : [success, body]) {
      const { $ref } = schemaOf(schema);
      if ($ref !== undefined) found.set(nameOfRef($ref), example);
    }
  }
  for (const [name, { enum: values }] of Object.entries(OBJECTS)) {
    if (values !== undefined) found.set(name, values[0]);
  }
  return found.set('Error', errorExample('pet_not_found'));
}
