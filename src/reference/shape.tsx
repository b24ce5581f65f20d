import type { ComponentChildren } from 'preact';
import { type JsonSchema, nameOfRef } from '../contract/json-schema.ts';
import { namedSchemas } from '../contract/schemas.ts';
import { ERRORS_HREF, Prose } from './prose.tsx';

export const OBJECTS: Readonly<Record<string, JsonSchema>> = namedSchemas();

/** The anchor of an object on the reference page. */
export function objectId(name: string): string {
  return `schema-${name}`;
}

/** The type of a value, with a link if it is an object of the API. */
export function TypeOf({ shape }: { shape: JsonSchema }): ComponentChildren {
  const { $ref, type, format, items } = shape;
  if ($ref !== undefined) {
    const name = nameOfRef($ref);
    return <a href={`#${objectId(name)}`}>{name}</a>;
  }
  if (items !== undefined) {
    return (
      <>
        array of <TypeOf shape={items} />
      </>
    );
  }
  return format === undefined ? type : `${type} (${format})`;
}

/** The allowed values in a few words, without the bounds of int64. Texts describe their length. */
export function boundsOf(shape: JsonSchema): string {
  const { minimum, maximum, maxItems, default: absent } = shape;
  const bounds = [
    shape.enum?.join(', '),
    typeof minimum === 'number' ? `${minimum} to ${maximum}` : undefined,
    maxItems === undefined ? undefined : `up to ${maxItems}`,
    absent === undefined ? undefined : `default ${absent}`,
  ];
  return bounds.filter((bound) => bound !== undefined).join('; ');
}

/** The schema that a reference points to. */
export function resolve(shape: JsonSchema): JsonSchema {
  if (shape.$ref === undefined) return shape;
  const named = OBJECTS[nameOfRef(shape.$ref)];
  if (named === undefined) throw new Error(`Unknown schema ${shape.$ref}`);
  return named;
}

interface Property {
  readonly name: string;
  /** Its anchor. */
  readonly id?: string;
  readonly shape: JsonSchema;
  readonly required: boolean;
  readonly meaning: string;
  /** Where the reader fills it in. */
  readonly field?: ComponentChildren;
}

interface PropertyTableProps {
  /** The heading of the first column. */
  readonly of: string;
  readonly properties: readonly Property[];
}

/** Parameters or fields: the name with its type, its meaning, and where to fill it in. */
export function PropertyTable({ of, properties }: PropertyTableProps) {
  return (
    <table class="properties">
      <thead>
        <tr>
          <th>{of}</th>
          <th>Meaning</th>
        </tr>
      </thead>
      <tbody>
        {properties.map(({ name, id, shape, required, meaning, field }) => (
          <tr key={name} id={id}>
            <th scope="row">
              <code class="name">{name}</code>
              <span class="note">
                <TypeOf shape={shape} />
              </span>
              <span class={required ? 'note required' : 'note'}>
                {required ? 'required' : 'optional'}
              </span>
            </th>
            <td>
              <div class="meaning">
                <div>
                  <span id={id && `${id}-meaning`}>
                    <Prose text={meaning} />
                  </span>
                  <span class="note">{boundsOf(shape)}</span>
                </div>
                {field !== undefined && <div class="needs-script">{field}</div>}
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface FieldTableProps {
  readonly shape: JsonSchema;
  /** The anchor of the object, unless the same table is further down. */
  readonly id?: string;
}

/** The fields of an object. */
export function FieldTable({ shape, id }: FieldTableProps) {
  const { properties = {}, required = [] } = shape;
  return (
    <PropertyTable
      of="Field"
      properties={Object.entries(properties).map(([name, value]) => ({
        name,
        ...(id !== undefined && { id: `${id}-${name}` }),
        shape: value,
        required: required.includes(name),
        meaning: meaningOf(value),
      }))}
    />
  );
}

/** The table of all error codes is on a page. */
function meaningOf(shape: JsonSchema): string {
  const { description = '' } = resolve(shape);
  return description.startsWith('|')
    ? `The error code. See [all codes](${ERRORS_HREF}).`
    : description;
}
