import { z } from 'zod';
import type { ErrorCode } from '../domain/error.ts';
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

export const INTERFACE_VERSION = '1.0.0';
export const API_PREFIX = '/v1';

export const PAGE_SIZE = { minimum: 1, maximum: 100, default: 20 } as const;
export const MAX_BODY_BYTES = 64 * 1024;

export interface QueryParameter<T> {
  readonly description: string;
  readonly schema: z.ZodType;
  /** What is allowed, as the end of a sentence that begins with the parameter's name. */
  readonly rule: string;
  /** Undefined when the text is not allowed. */
  readonly parse: (text: string) => T | undefined;
  /** What holds when the parameter is not given. */
  readonly absent: T;
}

export interface Operation {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly summary: string;
  readonly query: Readonly<Record<string, QueryParameter<unknown>>>;
  readonly body?: z.ZodType;
  readonly success: { readonly status: number; readonly schema: z.ZodType };
  readonly errors: readonly ErrorCode[];
  readonly deprecation?: {
    readonly deprecatedAt: Date;
    readonly removedAt: Date;
    readonly successor: 'listPets';
    /** What to do instead, as a sentence of its own. */
    readonly advice: string;
  };
}

/** What any operation can answer, whatever it does. */
const COMMON_ERRORS = [
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
  schema: z.int().min(PAGE_SIZE.minimum).max(PAGE_SIZE.maximum).default(PAGE_SIZE.default),
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

/** The operations of the interface. The name of each is its operationId and its handler's name. */
export const OPERATIONS = {
  listPets: {
    method: 'GET',
    path: '/pets',
    summary: 'List animals, oldest first, a page at a time',
    query: { limit, status, after },
    success: { status: 200, schema: z.array(petSchema) },
    errors: [...COMMON_ERRORS, 'invalid_parameter'],
  },
  createPet: {
    method: 'POST',
    path: '/pets',
    summary: 'Add an animal',
    query: {},
    body: newPetSchema,
    success: { status: 201, schema: petSchema },
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
    summary: 'Read one animal by its identifier',
    query: {},
    success: { status: 200, schema: petSchema },
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
