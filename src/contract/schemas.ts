import { z } from 'zod';
import { petSchema } from '#domain/pet.ts';
import { INT64_MAX, INT64_MIN } from '#formats/int64.ts';
import { ERROR_CODES, ERRORS } from './errors.ts';
import { PAGE_SIZE } from './parameters.ts';

/** The part of JSON Schema that describes the API. Bounds beyond 2^53 are bigints. */
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

export function refTo(name: string): string {
  return REF_PREFIX + name;
}

/** The name that a reference points to. */
export function nameOfRef(ref: string): string {
  return ref.slice(REF_PREFIX.length);
}

export const petsSchema = z
  .array(petSchema)
  .max(PAGE_SIZE.maximum)
  .meta({ description: 'A page of pets, in ascending order of id.', id: 'Pets' });

const CONVERSION = {
  io: 'input',
  unrepresentable: 'any',
  uri: refTo,
  override({ zodSchema, jsonSchema, path }) {
    if (zodSchema._zod.def.type === 'bigint') {
      Object.assign(jsonSchema, { type: 'integer', format: 'int64' });
    }
    delete jsonSchema.id;
    // Generated clients would make a field with a default mandatory. The description names the default instead.
    if (path.includes('properties')) delete jsonSchema.default;
  },
} satisfies Parameters<typeof z.toJSONSchema>[1];

/** Returns a reference if the schema has a name, and the whole schema otherwise. */
export function schemaOf(schema: z.ZodType): JsonSchema {
  const id = schema.meta()?.id;
  return id === undefined ? tidy(z.toJSONSchema(schema, CONVERSION)) : { $ref: refTo(id) };
}

export function namedSchemas(): Readonly<Record<string, JsonSchema>> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, CONVERSION);
  return { ...(tidy(schemas) as Record<string, JsonSchema>), Error: errorSchema() };
}

/** Removes the keywords that only a standalone JSON Schema needs, and adds the bounds of an int64. */
function tidy(schema: object): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (member, value) => {
    if (member === '$schema' || member === '$id') return undefined;
    return value?.format === 'int64' ? { ...value, minimum: INT64_MIN, maximum: INT64_MAX } : value;
  });
}

function errorSchema(): JsonSchema {
  const rows = ERROR_CODES.map(
    (code) => `| \`${code}\` | ${ERRORS[code].status} | ${ERRORS[code].meaning} |`,
  );
  return {
    type: 'object',
    description: 'An error. New codes may be added.',
    required: ['code', 'message', 'status'],
    properties: {
      code: {
        type: 'string',
        description: ['| Code | Status | Meaning |', '|---|---|---|', ...rows].join('\n'),
        pattern: '^[a-z]+(_[a-z]+)*$',
        maxLength: 64,
        examples: ERROR_CODES,
      },
      message: {
        type: 'string',
        description: 'The problem and its solution, for a person.',
        pattern: '^[^\\x00-\\x1F\\x7F]+$',
        maxLength: 1024,
      },
      status: {
        type: 'integer',
        format: 'int32',
        minimum: 400,
        maximum: 599,
        description: 'The HTTP status of the response.',
      },
    },
  };
}
