import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { INT64_MAX, INT64_MIN } from '../../../src/domain/int64.ts';
import { parsePetLine } from '../../../src/domain/operator/operator-pets.ts';
import { newPetSchema, PET_STATUSES, type Pet, petToJson } from '../../../src/domain/pet.ts';

const hardCharacters = fc.constantFrom('"', '\\', ' ', '😀', 'é', '\u2028');

const anyPet: fc.Arbitrary<Pet> = fc
  .record({
    id: fc.bigInt({ min: INT64_MIN, max: INT64_MAX }),
    name: fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
      fc.string({ unit: hardCharacters, minLength: 1, maxLength: 60 }),
    ),
    categoryId: fc.bigInt({ min: INT64_MIN, max: INT64_MAX }),
    status: fc.constantFrom(...PET_STATUSES),
  })
  .filter((pet) => newPetSchema.safeParse(pet).success);

test('a line is read as it was written, with every digit', () => {
  fc.assert(
    fc.property(anyPet, ({ id, ...pet }) => {
      expect(parsePetLine(petToJson({ id, ...pet }))).toEqual(pet);
    }),
  );
});

test('CRLF is accepted, and the status is optional', () => {
  const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const;
  expect(parsePetLine('{"name":"Rex","categoryId":1.0}\r')).toEqual(rex);
});

test.each([
  ['oops', 'not JSON: expected a value at character 1'],
  ['{"name":"x"}', 'categoryId is required'],
  ['{"name":"x","categoryId":1,"status":"lost"}', 'status must be one of'],
  ['{"name":"x","categoryId":9223372036854775808}', 'categoryId must be an integer'],
  ['{"name":"x","name":"y","categoryId":1}', 'a field is repeated'],
  [`{"name":"${'x'.repeat(70_000)}"}`, 'the line is too long'],
])('a bad line has a reason: %j', (text, reason) => {
  expect(() => parsePetLine(text)).toThrow(reason);
});
