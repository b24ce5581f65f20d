import type { ComponentChildren } from 'preact';
import { type JsonSchema, nameOfRef } from '../contract/json-schema.ts';
import { namedSchemas } from '../contract/schemas.ts';

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
