import { expect, expectTypeOf, test } from 'bun:test';
import type { z } from 'zod';
import type { OperationName as ContractOperationName, OPERATIONS } from '#contract/operations.ts';
import type { NewPet as DomainNewPet, Pet as DomainPet, newPetSchema } from '#domain/pet.ts';
import {
  type AnimalStore,
  ApiError,
  type ErrorCode,
  isApiError,
  type NewPet,
  type OperationName,
  type Pet,
} from '../../packages/client/src/animal-store.ts';

// The published types repeat the contract, so that they need no package of the service.
// `tsc` fails here if the two differ.
type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };
type ContractCodes = {
  [Name in ContractOperationName]: (typeof OPERATIONS)[Name]['errors'][number];
};

test('the client has the same pet types as the service', () => {
  expectTypeOf<Mutable<Pet>>().toEqualTypeOf<Mutable<DomainPet>>();
  type Input = z.input<typeof newPetSchema>;
  type Given<Value> = Value extends bigint ? Value | number : Value;
  // Optional as in the input, with the types of the output: there, only an int64 is a bigint.
  type Accepted = {
    [Field in keyof Input]: Given<DomainNewPet[Field]> | Extract<Input[Field], undefined>;
  };
  expectTypeOf<Mutable<NewPet>>().toEqualTypeOf<Mutable<Accepted>>();
});

test('the client has the same operations and error codes as the service', () => {
  type ClientCodes = { [Name in OperationName]: ErrorCode<Name> };
  expectTypeOf<ClientCodes>().toEqualTypeOf<ContractCodes>();
  expectTypeOf<AnimalStore>().toExtend<Record<OperationName, unknown>>();
});

test('isApiError narrows by code and rejects unknown codes at compile time', () => {
  const error: unknown = new ApiError({
    operation: 'getPet',
    status: 404,
    code: 'pet_not_found',
    message: 'Not found.',
    requestId: undefined,
    retryAfterSeconds: undefined,
    response: undefined,
  });
  expect(isApiError(error, 'operation_removed')).toBe(false);
  expect(isApiError({ ...Object(error) }, 'pet_not_found')).toBe(false);
  // @ts-expect-error A typo.
  expect(isApiError(error, 'pet_not_fond')).toBe(false);
  if (!isApiError(error, 'pet_not_found')) throw error;
  expectTypeOf(error.code).toEqualTypeOf<'pet_not_found'>();
  expectTypeOf(error.status).toEqualTypeOf<number>();
});
