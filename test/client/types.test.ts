import { expect, expectTypeOf, test } from 'bun:test';
import type { z } from 'zod';
import {
  ApiError,
  type ErrorCode,
  isApiError,
  type NewPet,
  type OperationName,
  type Pet,
} from '../../src/client/animal-store.ts';
import { HOOK_NAMES, type Hooks } from '../../src/client/hooks.ts';
import type { OPERATIONS, OperationName as Promised } from '../../src/contract/operations.ts';
import type { Pet as DomainPet, newPetSchema } from '../../src/domain/pet.ts';

// The published types stand alone, so that nobody needs the packages of the service to compile.
// `tsc` fails here when they and the service come to differ.
type Plain<T> = { -readonly [Name in keyof T]: T[Name] };
type Codes<Name extends Promised> = (typeof OPERATIONS)[Name]['errors'][number];

test('the client knows animals as the service does', () => {
  expectTypeOf<Plain<Pet>>().toEqualTypeOf<DomainPet>();
  type Accepted = Omit<z.input<typeof newPetSchema>, 'categoryId'> & {
    categoryId: bigint | number;
  };
  expectTypeOf<Plain<NewPet>>().toEqualTypeOf<Plain<Accepted>>();
});

test('the client knows the operations and the error codes of each', () => {
  expectTypeOf<OperationName>().toEqualTypeOf<Promised>();
  expectTypeOf<ErrorCode<'listPets'>>().toEqualTypeOf<Codes<'listPets'>>();
  expectTypeOf<ErrorCode<'createPet'>>().toEqualTypeOf<Codes<'createPet'>>();
  expectTypeOf<ErrorCode<'getPet'>>().toEqualTypeOf<Codes<'getPet'>>();
});

test('isApiError tells errors apart by code, and takes none that there is not', () => {
  const details = { operation: 'getPet', status: 404, code: 'pet_not_found', message: 'None.' };
  const unsaid = { requestId: undefined, retryAfterSeconds: undefined };
  const error: unknown = new ApiError({ ...(details as ApiError), ...unsaid });
  expect(isApiError(error, 'operation_removed')).toBe(false);
  expect(isApiError({ ...details }, 'pet_not_found')).toBe(false);
  // @ts-expect-error A slip of the pen.
  expect(isApiError(error, 'pet_not_fond')).toBe(false);
  if (!isApiError(error, 'pet_not_found')) throw error;
  expectTypeOf(error.code).toEqualTypeOf<'pet_not_found'>();
  expectTypeOf(error.status).toEqualTypeOf<number>();
});

test('every hook is checked', () => {
  expectTypeOf<(typeof HOOK_NAMES)[number]>().toEqualTypeOf<keyof Hooks>();
  expect(new Set(HOOK_NAMES).size).toBe(HOOK_NAMES.length);
});
