import type { z } from 'zod';
import { type NewPet, newPetSchema, petSchema } from '#domain/pet.ts';
import { type Deprecation, GET_PET_DEPRECATION } from './api.ts';
import { ERRORS, type ErrorCode, invalidBody, problem } from './errors.ts';
import type { HeaderName } from './headers.ts';
import {
  after,
  type CheckedParameter,
  HOST_RULE,
  idempotencyKey,
  limit,
  type Parameter,
  petId,
  type QueryParameter,
  status,
} from './parameters.ts';
import { petsSchema, schemaOf } from './schemas.ts';

export interface Operation {
  /** A read-only key can call only GET operations. All other operations list the error `read_only_key`. */
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly stability: 'experimental' | 'beta' | 'stable';
  /** The parameters, in the order in which the path contains them. */
  readonly pathParameters: Readonly<Record<string, Parameter>>;
  readonly query: Readonly<Record<string, QueryParameter<unknown>>>;
  readonly requestHeaders: Readonly<Record<string, CheckedParameter>>;
  readonly body?: { readonly schema: z.ZodType; readonly example: unknown };
  readonly success: {
    readonly status: number;
    readonly description: string;
    readonly schema: z.ZodType;
    readonly example: unknown;
    /** The headers that a success carries in addition to those of every response. */
    readonly headers: readonly HeaderName[];
  };
  readonly errors: readonly ErrorCode[];
  /**
   * Says what a second, equal request does after the first one was served. If the operation is `safe`, it does
   * nothing more; `with-idempotency-key`, it does nothing more if both carry the same `Idempotency-Key`; and if the
   * operation is `unsafe`, it does the same again. Clients decide by this whether they may send a request again
   * whose response they did not get.
   */
  readonly repetition: 'safe' | 'with-idempotency-key' | 'unsafe';
  readonly deprecation?: Deprecation;
}

const EXAMPLE_NEW_PET = {
  name: 'Rex',
  categoryId: 7,
  status: 'available',
} satisfies Record<keyof NewPet, unknown>;
const EXAMPLE_PET = { id: 42, ...EXAMPLE_NEW_PET };

/**
 * The errors of every operation. `invalid_parameter` is among them because every operation checks the
 * header Host.
 */
export const COMMON_ERRORS = [
  'missing_api_key',
  'invalid_api_key',
  'expired_api_key',
  'revoked_api_key',
  'account_suspended',
  'rate_limit_minute',
  'rate_limit_day',
  'api_key_banned',
  'invalid_parameter',
  'internal_error',
  'service_unavailable',
] as const satisfies ErrorCode[];

/** The errors of every operation with a body. */
const BODY_ERRORS = [
  'malformed_json',
  'validation_failed',
  'request_timeout',
  'payload_too_large',
  'unsupported_media_type',
] as const satisfies ErrorCode[];

/** An operation that leaves out a shared error does not compile. */
type SharedErrors =
  | { readonly body?: never; readonly errors: readonly [...typeof COMMON_ERRORS, ...ErrorCode[]] }
  | {
      readonly body: object;
      readonly errors: readonly [...typeof COMMON_ERRORS, ...typeof BODY_ERRORS, ...ErrorCode[]];
    };

/** The operations of the API. Each name is the operationId and the name of the handler. */
export const OPERATIONS = {
  listPets: {
    method: 'GET',
    path: '/pets',
    summary: 'List pets',
    description: 'Returns pets in ascending order of id, one page at a time.',
    stability: 'stable',
    pathParameters: {},
    query: { limit, status, after },
    requestHeaders: {},
    success: {
      status: 200,
      description: 'A page of pets. It is empty when no pet matches.',
      schema: petsSchema,
      example: [EXAMPLE_PET],
      headers: ['LinkNext'],
    },
    errors: COMMON_ERRORS,
    repetition: 'safe',
  },
  createPet: {
    method: 'POST',
    path: '/pets',
    summary: 'Add a pet',
    description:
      'Adds a pet and assigns its id. The response is sent after the pet is safely on disk. ' +
      'Unknown fields are ignored.',
    stability: 'stable',
    pathParameters: {},
    query: {},
    requestHeaders: { 'Idempotency-Key': idempotencyKey },
    body: { schema: newPetSchema, example: EXAMPLE_NEW_PET },
    success: {
      status: 201,
      description: 'The new pet, with its id.',
      schema: petSchema,
      example: EXAMPLE_PET,
      headers: ['Location', 'Idempotent-Replayed'],
    },
    errors: [...COMMON_ERRORS, ...BODY_ERRORS, 'read_only_key', 'idempotency_key_reused'],
    repetition: 'with-idempotency-key',
  },
  getPet: {
    method: 'GET',
    path: '/pets/{petId}',
    summary: 'Get a pet',
    description: 'Returns the pet with this id.',
    stability: 'stable',
    pathParameters: { petId },
    query: {},
    requestHeaders: {},
    success: {
      status: 200,
      description: 'The pet with this id.',
      schema: petSchema,
      example: EXAMPLE_PET,
      headers: [],
    },
    errors: [...COMMON_ERRORS, 'pet_not_found', 'operation_removed'],
    repetition: 'safe',
    deprecation: GET_PET_DEPRECATION,
  },
} as const satisfies Record<string, Operation & SharedErrors>;

export type OperationName = keyof typeof OPERATIONS;

export const OPERATION_NAMES = Object.keys(OPERATIONS) as OperationName[];

/** The time at which each deprecated operation is removed, in milliseconds since 1970. */
export const REMOVALS: ReadonlyMap<string, number> = new Map(
  Object.entries<Operation>(OPERATIONS).flatMap(([name, { deprecation }]) =>
    deprecation === undefined ? [] : [[name, deprecation.removedAt.getTime()]],
  ),
);

/** All parameters of an operation, in the path, the query and the headers. */
export function parametersOf(operation: Operation) {
  const { pathParameters, query, requestHeaders } = operation;
  const places = { path: pathParameters, query, header: requestHeaders };
  return (['path', 'query', 'header'] as const).flatMap((place) =>
    Object.entries<Parameter>(places[place]).map(([name, { description, schema }]) => ({
      place,
      name,
      description,
      required: place === 'path',
      schema: schemaOf(schema),
    })),
  );
}

/**
 * An example of the message that an operation sends with an error code. It names the operation's own first
 * parameter, or the fields that its body lacks.
 */
export function exampleOf(code: ErrorCode, { query, requestHeaders, body }: Operation): string {
  if (code === 'invalid_parameter') {
    const [first] = Object.entries(query);
    const [header = ['Host', { rule: HOST_RULE }]] = Object.entries(requestHeaders);
    const [name, { rule }] = first ?? header;
    return problem(code, `${first ? 'query parameter' : 'header'} ${name}`, rule).message;
  }
  if (code !== 'validation_failed' || body === undefined) return ERRORS[code].example;
  const { error = body.schema.safeParse(null).error } = body.schema.safeParse({});
  return error ? invalidBody(error).message : ERRORS[code].example;
}
