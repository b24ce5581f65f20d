import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { INT64_MAX, INT64_MIN } from '../../src/domain/int64.ts';
import { parseJson } from '../../src/domain/json.ts';
import {
  newPetSchema,
  newPetToJson,
  PET_STATUSES,
  type Pet,
  petSchema,
  petToJson,
} from '../../src/domain/pet.ts';

const anyInt64 = fc.bigInt({ min: INT64_MIN, max: INT64_MAX });
const anyName = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 255 })
  .filter((name) => newPetSchema.shape.name.safeParse(name).success);
const anyPet: fc.Arbitrary<Pet> = fc.record({
  id: anyInt64,
  name: anyName,
  categoryId: anyInt64,
  status: fc.constantFrom(...PET_STATUSES),
});

function accepts(name: unknown): boolean {
  return newPetSchema.safeParse({ name, categoryId: 1n }).success;
}

test('a pet serialized as JSON is parsed to the same pet', () => {
  fc.assert(
    fc.property(anyPet, (pet) => {
      expect(petSchema.parse(parseJson(petToJson(pet)))).toEqual(pet);
      const { id: _, ...newPet } = pet;
      expect(newPetSchema.parse(parseJson(newPetToJson(newPet)))).toEqual(newPet);
    }),
  );
});

describe('a name', () => {
  const valid = ['x', ' padded ', '犬', 'a\u0301', '👩‍👩‍👧‍👦', ' 🐈'];
  test.each(valid)('%p is valid', (name) => expect(accepts(name)).toBe(true));

  const invalid = [
    ...['', '\u3000\u2003', 'a\0b', '\u007f', '\u0085', '\ud800', 'x\ud83d\ud83dy'],
    ...['\udc08\ud83d', '🐈\ud83d', 'Rex\n'],
  ];
  test.each(invalid)('%p is invalid', (name) => expect(accepts(name)).toBe(false));

  test.each(['', 'u', 'v'])('the pattern of the document says so, with the flag %p', (flag) => {
    const pattern = new RegExp(String(newPetSchema.shape.name.meta()?.['pattern']), flag);
    expect(valid.filter((name) => !pattern.test(name))).toEqual([]);
    expect(invalid.filter((name) => pattern.test(name))).toEqual([]);
  });

  test('has at most 255 code points, and an astral character counts as one', () => {
    expect(accepts('x'.repeat(255))).toBe(true);
    expect(accepts('x'.repeat(256))).toBe(false);
    expect(accepts('🐈'.repeat(255))).toBe(true);
    expect(accepts(`${'🐈'.repeat(254)}xy`)).toBe(false);
  });
});
