import { z } from 'zod';
import { INT64_MAX, INT64_MIN } from '../domain/int64.ts';
import { newPetSchema, petSchema, petStatusSchema } from '../domain/pet.ts';
import { errorSchema } from './errors.ts';
import { petsSchema } from './operations.ts';

/** The part of JSON Schema that describes the interface. Bounds beyond 2^53 are bigints. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly examples?: readonly unknown[];
}

const REF_PREFIX = '#/components/schemas/';

const SCHEMAS = z.registry<{ id: string }>();
SCHEMAS.add(petStatusSchema, { id: 'PetStatus' });
SCHEMAS.add(newPetSchema, { id: 'NewPet' });
SCHEMAS.add(petSchema, { id: 'Pet' });
SCHEMAS.add(petsSchema, { id: 'Pets' });

const CONVERSION = {
  io: 'input',
  unrepresentable: 'any',
  uri: refTo,
  override({ zodSchema, jsonSchema }) {
    if (zodSchema._zod.def.type === 'bigint') {
      Object.assign(jsonSchema, { type: 'integer', format: 'int64' });
    }
  },
} satisfies Parameters<typeof z.toJSONSchema>[1];

/** A schema that has a name is referred to; any other stands where it is used. */
export function schemaOf(schema: z.ZodType): JsonSchema {
  const { id } = SCHEMAS.get(schema) ?? {};
  return id === undefined ? tidy(z.toJSONSchema(schema, CONVERSION)) : { $ref: refTo(id) };
}

export function refTo(name: string): string {
  return REF_PREFIX + name;
}

/** The name that a reference leads to. */
export function nameOfRef(ref: string): string {
  return ref.slice(REF_PREFIX.length);
}

/** The schemas that have a name. */
export function namedSchemas(): Readonly<Record<string, JsonSchema>> {
  const { schemas } = z.toJSONSchema(SCHEMAS, CONVERSION);
  // A default is for those who send: in an answer there is nothing to fill in.
  const status = schemas['Pet']?.properties?.['status'];
  if (typeof status === 'object') delete status.default;
  const named = Object.entries(schemas).map(([id, schema]): [string, JsonSchema] => [
    id,
    tidy(schema),
  ]);
  return { ...Object.fromEntries(named), Error: errorSchema() };
}

/** Leaves out what Zod adds for readers of JSON Schema alone, and puts in the bounds of int64. */
function tidy(schema: object): JsonSchema {
  const { $schema, $id, ...rest } = schema as Record<string, unknown>;
  for (const [member, value] of Object.entries(rest)) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      rest[member] = tidy(value);
    }
  }
  if (rest['format'] === 'int64') Object.assign(rest, { minimum: INT64_MIN, maximum: INT64_MAX });
  return rest;
}
