import { z } from 'zod';
import {
  IDEMPOTENCY_KEY_PATTERN,
  IDEMPOTENCY_KEY_RULE,
  MAX_IDEMPOTENCY_KEY_CHARACTERS,
} from '#domain/idempotency-key.ts';
import { PET_STATUS_RULE, type PetStatus, petStatusSchema } from '#domain/pet.ts';
import { INT64_RULE, parseInt64 } from '#formats/int64.ts';

export interface Parameter {
  readonly description: string;
  readonly schema: z.ZodType;
}

/** A parameter that is checked. Any value that breaks its rule is refused with `invalid_parameter`. */
export interface CheckedParameter extends Parameter {
  /** The allowed values, as the end of a sentence that starts with the parameter's name. */
  readonly rule: string;
}

export interface QueryParameter<T> extends CheckedParameter {
  /** Undefined when the text is not allowed. */
  readonly parse: (text: string) => T | undefined;
  /** The value when the parameter is not given. */
  readonly absent: T;
}

export const PAGE_SIZE = { minimum: 1, maximum: 100, default: 20 } as const;

const { minimum, maximum, default: defaultLimit } = PAGE_SIZE;

export const limit: QueryParameter<number> = {
  description: 'The maximum number of pets to return.',
  schema: z.int().min(minimum).max(maximum).default(defaultLimit).meta({ format: 'int32' }),
  rule: `must be an integer from ${minimum} to ${maximum}`,
  parse(text) {
    const value = Number(parseInt64(text));
    return value >= minimum && value <= maximum ? value : undefined;
  },
  absent: defaultLimit,
};

export const status: QueryParameter<PetStatus | undefined> = {
  description: 'Return only pets with this status.',
  schema: petStatusSchema,
  rule: PET_STATUS_RULE,
  parse: (text) => petStatusSchema.options.find((name) => name === text),
  absent: undefined,
};

export const after: QueryParameter<bigint | undefined> = {
  description:
    'Return only pets with a greater id. For the next page, pass the last id of the page you have.',
  schema: z.int64(),
  rule: INT64_RULE,
  parse: parseInt64,
  absent: undefined,
};

export const petId: Parameter = {
  description: 'The id of the pet. Anything that is not an int64 returns 404.',
  schema: z.int64(),
};

export const idempotencyKey: CheckedParameter = {
  description:
    'Makes the request safe to retry. For 24 hours, the same key with the same body returns the ' +
    `pet that was created first instead of adding another. The key ${IDEMPOTENCY_KEY_RULE}.`,
  schema: z.string().min(1).max(MAX_IDEMPOTENCY_KEY_CHARACTERS).regex(IDEMPOTENCY_KEY_PATTERN),
  rule: IDEMPOTENCY_KEY_RULE,
};

/** Every operation refuses a Host that breaks this rule. */
export const HOST_RULE = 'must be a single host, with an optional port';
