import { describe, expect, test } from 'bun:test';
import { deepStrictEqual } from 'node:assert';
import fc from 'fast-check';
import { PET_FIELDS } from '#domain/pet.ts';
import { INT64_MAX, INT64_MIN } from '#formats/int64.ts';
import { parseJson } from '#formats/json.ts';
import {
  type Pet,
  petFromJson,
  petsFromJson,
  toJson,
} from '../../packages/client/src/animal-store.ts';
import { fromJson } from '../../packages/client/src/json.ts';
import { anyCharacter, anyPet } from '../support/values.ts';

const rex: Pet = { id: INT64_MAX, name: 'Rex "the dog"', categoryId: INT64_MIN, status: 'sold' };
const REX =
  '{"id":9223372036854775807,"name":"Rex \\"the dog\\"","categoryId":-9223372036854775808,"status":"sold"}';

describe('toJson', () => {
  test('writes bigints with all their digits, anywhere in a value', () => {
    expect(toJson(rex)).toBe(REX);
    expect(toJson({ pets: [rex, rex], next: 7n })).toBe(`{"pets":[${REX},${REX}],"next":7}`);
    expect(toJson(2n ** 100n)).toBe('1267650600228229401496703205376');
  });

  test('writes everything else like JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        expect(toJson(value)).toBe(JSON.stringify(value));
      }),
      { numRuns: 30 },
    );
    const itself = { x: 1, toJSON: (): unknown => itself };
    const unusual = [
      ...[undefined, () => {}, Symbol('x'), Number.NaN, -0, new Date(0), Object('x'), itself],
      ...['\0', '\x005', { '\x005': '"\x005' }, JSON.parse('{"__proto__":1}')],
    ];
    for (const value of [...unusual, unusual, { ...unusual }]) {
      expect(toJson(value)).toBe(JSON.stringify(value));
    }
  });
});

function withMember(target: object, name: string, value: unknown, run: () => void) {
  const usual = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { value, configurable: true });
  try {
    run();
  } finally {
    Reflect.deleteProperty(target, name);
    if (usual !== undefined) Object.defineProperty(target, name, usual);
  }
}

describe('JSON.stringify', () => {
  const pet = petFromJson(REX);

  test('writes a pet with every digit, and respects a toJSON of bigints', () => {
    expect(JSON.stringify([{ pet }])).toBe(`[{"pet":${REX}}]`);
    withMember(BigInt.prototype, 'toJSON', String, () => {
      expect(JSON.parse(JSON.stringify(pet))).toMatchObject({ id: expect.any(String) });
      expect(toJson(pet)).toBe(REX);
    });
  });

  test('writes safe integers on an older runtime, and names toJson for the others', () => {
    withMember(JSON, 'rawJSON', undefined, () => {
      const safe = petFromJson(REX.replaceAll(/\d{9,}/g, `${Number.MAX_SAFE_INTEGER}`));
      expect(JSON.stringify(safe)).toBe(toJson(safe));
      expect(toJson(pet)).toBe(REX);
      expect(() => JSON.stringify(pet)).toThrow(`${INT64_MAX} exactly on this runtime. Use toJson`);
    });
  });

  test('takes nothing from a pet: it equals a literal, and can be copied', () => {
    deepStrictEqual(pet, rex);
    for (const copy of [structuredClone(pet), { ...pet }]) {
      expect(copy).toStrictEqual(rex);
      expect(toJson(copy)).toBe(REX);
    }
  });
});

describe('petFromJson', () => {
  test('reads what toJson wrote', () => {
    expect(petFromJson(toJson(rex))).toEqual(rex);
    const pets = [rex, { ...rex, name: 'n5' }, ...fc.sample(anyPet, 20)];
    // The comparison is strict, so an absent field must stay absent.
    expect(petsFromJson(toJson(pets))).toStrictEqual(pets);
    expect(petsFromJson(' [ ] ')).toEqual([]);
  });

  test.each(['', '[1,]', '{"id":01}'])('throws SyntaxError for %j', (text) => {
    expect(() => petFromJson(text)).toThrow(SyntaxError);
    expect(() => petsFromJson(text)).toThrow(SyntaxError);
  });

  test.each([
    'null',
    '{"id":"n1","name":"Rex","categoryId":1}',
    '{"id":9223372036854775808,"name":"Rex","categoryId":1}',
    // Every field has a type.
    ...PET_FIELDS.map((field) => toJson({ ...rex, [field]: [] })),
  ])('throws TypeError for %s', (text) => {
    expect(() => petFromJson(text)).toThrow(new TypeError('The JSON is not a pet.'));
    expect(() => petsFromJson(text)).toThrow(new TypeError('The JSON is not a list of pets.'));
  });

  test('accepts 7.0, a missing status and a new field', () => {
    const pet = petFromJson('{"id":7.0,"name":"Rex","categoryId":0,"born":2020}');
    expect(pet).toEqual({ id: 7n, name: 'Rex', categoryId: 0n, status: 'available' });
  });
});

test('the client reads JSON like the service', () => {
  const integers = fc.bigInt({ min: INT64_MIN - 9n, max: INT64_MAX + 9n }).map(String);
  const strings = fc.string({ unit: anyCharacter }).map((text) => JSON.stringify(text));
  const { json } = fc.letrec<{ json: string }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      integers,
      strings,
      fc.constantFrom('true', 'null', '1.5', '-0', '7.00', '"\\u0000 1"', '"a\\\\"', '"\\": 5"'),
      fc.array(tie('json'), { maxLength: 3 }).map((items) => `[${items.join(' ,')}]`),
      fc
        .uniqueArray(fc.tuple(strings, tie('json')), { selector: ([name]) => name, maxLength: 3 })
        .map((members) => `{ ${members.map(([name, value]) => `${name} :\n${value}`)} }`),
    ),
  }));
  fc.assert(
    fc.property(json, (text) => {
      expect(fromJson(text)).toEqual(parseJson(text));
    }),
    { numRuns: 100 },
  );
});
