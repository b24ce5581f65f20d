import { z } from 'zod';
import type { ErrorCode } from '../domain/error.ts';
import { IDEMPOTENCY_KEY_RULE, MAX_IDEMPOTENCY_KEY_CHARACTERS } from '../domain/idempotency.ts';
import { parseInt64 } from '../domain/int64.ts';
import {
  INT64_RULE,
  newPetSchema,
  PET_STATUS_RULE,
  PET_STATUSES,
  type PetStatus,
  petSchema,
  petStatusSchema,
} from '../domain/pet.ts';
import { VISIBLE_ASCII } from '../domain/visible-ascii.ts';
import type { HeaderName } from './headers.ts';

export const INTERFACE_VERSION = '1.0.0';
export const API_PREFIX = '/v1';

export const PAGE_SIZE = { minimum: 1, maximum: 100, default: 20 } as const;
export const MAX_BODY_BYTES = 64 * 1024;

export const petsSchema = z.array(petSchema).max(PAGE_SIZE.maximum);

export interface Parameter {
  readonly description: string;
  readonly schema: z.ZodType;
}

export interface QueryParameter<T> extends Parameter {
  /** What is allowed, as the end of a sentence that begins with the parameter's name. */
  readonly rule: string;
  /** Undefined when the text is not allowed. */
  readonly parse: (text: string) => T | undefined;
  /** What holds when the parameter is not given. */
  readonly absent: T;
}

export interface Deprecation {
  readonly deprecatedAt: Date;
  readonly removedAt: Date;
  readonly successor: 'listPets';
  /** What to do instead, as a sentence of its own. */
  readonly advice: string;
}

export interface Operation {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly stability: 'experimental' | 'beta' | 'stable';
  /** In the order in which they stand in the path. */
  readonly pathParameters: Readonly<Record<string, Parameter>>;
  readonly query: Readonly<Record<string, QueryParameter<unknown>>>;
  readonly requestHeaders: Readonly<Record<string, Parameter>>;
  readonly body?: { readonly schema: z.ZodType; readonly example: unknown };
  readonly success: {
    readonly status: number;
    readonly description: string;
    readonly schema: z.ZodType;
    readonly example: unknown;
    /** Beside those that every answer carries. */
    readonly headers: readonly HeaderName[];
  };
  readonly errors: readonly ErrorCode[];
  /** Messages as this operation writes them, where those of `ERRORS` are of another one. */
  readonly errorExamples?: Readonly<Partial<Record<ErrorCode, string>>>;
  readonly deprecation?: Deprecation;
}

const EXAMPLE_NEW_PET = { name: 'Rex', categoryId: 7, status: 'available' };
const EXAMPLE_PET = { id: 42, ...EXAMPLE_NEW_PET };

/** What any operation can answer, whatever it does. */
export const COMMON_ERRORS = [
  'missing_api_key',
  'invalid_api_key',
  'expired_api_key',
  'revoked_api_key',
  'rate_limit_minute',
  'rate_limit_day',
  'api_key_banned',
  'internal_error',
  'service_unavailable',
] as const satisfies ErrorCode[];

const limit: QueryParameter<number> = {
  description: 'How many animals to return at most.',
  schema: z
    .int()
    .min(PAGE_SIZE.minimum)
    .max(PAGE_SIZE.maximum)
    .default(PAGE_SIZE.default)
    .meta({ format: 'int32' }),
  rule: `must be an integer from ${PAGE_SIZE.minimum} to ${PAGE_SIZE.maximum}`,
  parse(text) {
    const value = parseInt64(text);
    if (value === undefined || value < PAGE_SIZE.minimum || value > PAGE_SIZE.maximum) {
      return undefined;
    }
    return Number(value);
  },
  absent: PAGE_SIZE.default,
};

const status: QueryParameter<PetStatus | undefined> = {
  description: 'Return only animals with this status.',
  schema: petStatusSchema,
  rule: PET_STATUS_RULE,
  parse: (text) => PET_STATUSES.find((name) => name === text),
  absent: undefined,
};

const after: QueryParameter<bigint | undefined> = {
  description: 'Return only animals whose id is greater: the last id of the page before.',
  schema: z.int64(),
  rule: INT64_RULE,
  parse: parseInt64,
  absent: undefined,
};

const petId: Parameter = {
  description:
    'The identifier of the animal. What is no int64 is answered 404, as no animal has it.',
  schema: z.int64(),
};

const idempotencyKey: Parameter = {
  description:
    'Names this creation among those of the account, for requests that may be sent again: within ' +
    '24 hours the same key with the same body adds nothing, and gets the animal that was added. ' +
    `It ${IDEMPOTENCY_KEY_RULE}.`,
  schema: z.string().min(1).max(MAX_IDEMPOTENCY_KEY_CHARACTERS).regex(VISIBLE_ASCII),
};

/** The operations of the interface. The name of each is its operationId and its handler's name. */
export const OPERATIONS = {
  listPets: {
    method: 'GET',
    path: '/pets',
    summary: 'List animals',
    description:
      'Returns animals in ascending order of their id, a page at a time. While more follow, the ' +
      '`Link` header has the address of the next page: the same question with `after`, the last id.',
    stability: 'stable',
    pathParameters: {},
    query: { limit, status, after },
    requestHeaders: {},
    success: {
      status: 200,
      description: 'A page of animals; empty when there are none.',
      schema: petsSchema,
      example: [EXAMPLE_PET],
      headers: ['LinkNext'],
    },
    errors: [...COMMON_ERRORS, 'invalid_parameter'],
  },
  createPet: {
    method: 'POST',
    path: '/pets',
    summary: 'Add an animal',
    description:
      'Adds an animal and gives it an id. The answer leaves once the animal is stored for good. ' +
      'Fields that are not listed here are ignored.',
    stability: 'stable',
    pathParameters: {},
    query: {},
    requestHeaders: { 'Idempotency-Key': idempotencyKey },
    body: { schema: newPetSchema, example: EXAMPLE_NEW_PET },
    success: {
      status: 201,
      description: 'The animal as it was added, with its id.',
      schema: petSchema,
      example: EXAMPLE_PET,
      headers: ['Location', 'Idempotent-Replayed'],
    },
    errorExamples: { invalid_parameter: `The header Idempotency-Key ${IDEMPOTENCY_KEY_RULE}.` },
    errors: [
      ...COMMON_ERRORS,
      'malformed_json',
      'validation_failed',
      'invalid_parameter',
      'request_timeout',
      'payload_too_large',
      'unsupported_media_type',
      'idempotency_key_reused',
    ],
  },
  getPet: {
    method: 'GET',
    path: '/pets/{petId}',
    summary: 'Read one animal',
    description: 'Returns the animal with this id.',
    stability: 'stable',
    pathParameters: { petId },
    query: {},
    requestHeaders: {},
    success: {
      status: 200,
      description: 'The animal.',
      schema: petSchema,
      example: EXAMPLE_PET,
      headers: [],
    },
    errors: [...COMMON_ERRORS, 'pet_not_found', 'operation_removed'],
    deprecation: {
      deprecatedAt: new Date('2026-11-14T00:00:00Z'),
      removedAt: new Date('2030-12-05T00:00:00Z'),
      successor: 'listPets',
      advice: `Use GET ${API_PREFIX}/pets with the status filter; after={petId - 1}&limit=1 reads one animal.`,
    },
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;

export interface PlacedParameter extends Parameter {
  readonly place: 'path' | 'query' | 'header';
  readonly name: string;
  readonly required: boolean;
}

/** All parameters of an operation, wherever they stand in a request. */
export function parametersOf(operation: Operation): PlacedParameter[] {
  const { pathParameters, query, requestHeaders } = operation;
  const placed = (place: PlacedParameter['place'], given: Readonly<Record<string, Parameter>>) =>
    Object.entries(given).map(([name, { description, schema }]) => ({
      ...{ place, name, description, schema },
      required: place === 'path',
    }));
  return [
    ...placed('path', pathParameters),
    ...placed('query', query),
    ...placed('header', requestHeaders),
  ];
}

/** As 2030-12-05. */
export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
