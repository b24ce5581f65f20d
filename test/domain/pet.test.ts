import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { newPetSchema, newPetToJson, petSchema, petToJson } from '#domain/pet.ts';
import { parseJson } from '#formats/json.ts';
import { anyPet } from '../support/values.ts';

function accepts(name: unknown) {
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

  const invalid = ['', ' \u00a0', 'a\0b', '\u007f', '\u0085', 'Rex\n'];
  /** The document states this rule only in words. */
  const inWords = ['\u3000\u2003', '\ud800', 'x\ud83d\ud83dy', '\udc08\ud83d', '🐈\ud83d'];
  test.each([...invalid, ...inWords])('%p is invalid', (name) => expect(accepts(name)).toBe(false));

  test.each(['', 'u', 'v'])(
    'the pattern in the OpenAPI document decides the same, with the flag %p',
    (flag) => {
      const pattern = new RegExp(String(newPetSchema.shape.name.meta()?.['pattern']), flag);
      expect([...valid, ...inWords].filter((name) => !pattern.test(name))).toEqual([]);
      expect(invalid.filter((name) => pattern.test(name))).toEqual([]);
    },
  );

  test('has at most 255 code points, and an astral character counts as one', () => {
    expect(accepts('x'.repeat(255))).toBe(true);
    expect(accepts('x'.repeat(256))).toBe(false);
    expect(accepts('🐈'.repeat(255))).toBe(true);
    expect(accepts(`${'🐈'.repeat(254)}xy`)).toBe(false);
  });
});
