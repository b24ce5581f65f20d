import { expectTypeOf, test } from 'bun:test';
import type { z } from 'zod';
import type { ErrorCode, NewPet, OperationName, Pet } from '../../src/client/animal-store.ts';
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
