import fc from 'fast-check';
import { INT64_MAX, INT64_MIN } from '../../src/domain/int64.ts';
import { type NewPet, newPetSchema, PET_STATUSES, type Pet } from '../../src/domain/pet.ts';

const anyInt64 = fc.bigInt({ min: INT64_MIN, max: INT64_MAX });

/** Values of each field, to draw from. */
const VALUES: { readonly [Field in keyof NewPet]-?: fc.Arbitrary<NewPet[Field]> } = {
  name: fc
    .string({ unit: 'binary', minLength: 1, maxLength: 255 })
    .filter((name) => newPetSchema.shape.name.safeParse(name).success),
  categoryId: anyInt64,
  status: fc.constantFrom(...PET_STATUSES),
};

export const anyNewPet: fc.Arbitrary<NewPet> = fc.record(VALUES);
export const anyPet: fc.Arbitrary<Pet> = fc.record({ id: anyInt64, ...VALUES });

/** Pets with any values in every field. */
export function newPets(count: number): NewPet[] {
  const drawn = fc.sample(anyNewPet, Math.min(count, 200));
  return Array.from({ length: count }, (_, index) => drawn[index % drawn.length] as NewPet);
}
