import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { INT64_MAX, INT64_MIN } from '../../../src/domain/int64.ts';
import {
  isPetProblem,
  PET_FILE_FORMATS,
  type PetFileFormat,
  petFileHeader,
  petReader,
  petToLine,
} from '../../../src/domain/operator/pet-file.ts';
import { newPetSchema, PET_STATUSES, type Pet } from '../../../src/domain/pet.ts';

const hardCharacters = fc.constantFrom(
  '"',
  ',',
  "'",
  '=',
  '+',
  '-',
  '@',
  ';',
  ' ',
  '😀',
  'é',
  '\u2028',
);

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

/** The pets and problems of a whole file. */
function readAll(format: PetFileFormat, text: string) {
  const reader = petReader(format);
  const read = text.split('\n').map((line) => reader.read(line));
  const found = [...read, reader.end()].filter((item) => item !== undefined);
  return {
    pets: found.filter((item) => !isPetProblem(item)),
    problems: found.filter(isPetProblem),
  };
}

describe.each([...PET_FILE_FORMATS])('a file of pets in %s', (format) => {
  test('is read as it was written, with every digit', () => {
    fc.assert(
      fc.property(fc.array(anyPet), (pets) => {
        const text = petFileHeader(format) + pets.map((pet) => petToLine(format, pet)).join('');
        const expected = pets.map(({ id: _, ...pet }) => pet);
        expect(readAll(format, text)).toEqual({ pets: expected, problems: [] });
      }),
    );
  });
});

test('empty lines and CRLF are accepted, and the status is optional', () => {
  const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const;
  const ndjson = '\r\n{"name":"Rex","categoryId":1}\r\n\r\n{"name":"Rex","categoryId":1.0}';
  expect(readAll('ndjson', ndjson)).toEqual({ pets: [rex, rex], problems: [] });
  const csv = 'categoryId,name\r\n\r\n1,Rex\r\n1,"Rex"\r\n';
  expect(readAll('csv', csv)).toEqual({ pets: [rex, rex], problems: [] });
  const withStatus = 'name,categoryId,status\nRex,1,\nRex,1,sold';
  expect(readAll('csv', withStatus).pets).toEqual([rex, { ...rex, status: 'sold' }]);
});

test.each<[PetFileFormat, string, line: number, reason: string]>([
  ['ndjson', 'oops', 1, 'not JSON: expected a value at character 1'],
  ['ndjson', '\n{"name":"x"}', 2, 'categoryId is required'],
  ['ndjson', '{"name":"x","categoryId":1,"status":"lost"}', 1, 'status must be one of'],
  ['ndjson', '{"name":"x","categoryId":9223372036854775808}', 1, 'categoryId must be an integer'],
  ['ndjson', '{"name":"x","name":"y","categoryId":1}', 1, 'a field is repeated'],
  ['csv', 'name,categoryId\nRex', 2, 'the header has 2 fields, this line 1'],
  ['csv', 'name,categoryId\n,1', 2, 'name must be a string of 1 to 255 characters'],
  ['csv', 'name,categoryId\nRex,', 2, 'categoryId must be an integer'],
  ['csv', 'name,categoryId\nRex,1e5', 2, 'categoryId must be an integer'],
  ['csv', 'name,categoryId\nRex,1\n5" Rex,1', 3, 'a field that contains a quote must be quoted'],
  ['csv', 'name,categoryId\nTom,1\n"Rex,1\nx', 3, 'a quoted field does not end'],
  ['csv', 'name,categoryId\n"R\nex",1\nTom,x', 2, 'without control characters'],
  ['csv', 'name,categoryId\n"R\nex",1\nTom,x', 4, 'categoryId must be an integer'],
])('a bad line in %s is reported by its number: %j', (format, text, line, reason) => {
  const { problems } = readAll(format, text);
  expect(problems).toContainEqual({ line, reason: expect.stringContaining(reason) });
});

test('a line longer than a request may be is refused', () => {
  const { problems } = readAll('ndjson', `{"name":"${'x'.repeat(70_000)}"}`);
  expect(problems).toEqual([{ line: 1, reason: 'the line is too long' }]);
});

test('a quote that never ends is noticed in bounded memory', () => {
  const reader = petReader('csv');
  reader.read('name,categoryId');
  reader.read('"Rex');
  const found = Array.from({ length: 70 }, () => reader.read('x'.repeat(1_000)));
  expect(found).toContainEqual({ line: 2, reason: 'a quoted field does not end' });
});

test.each(['Rex,1', 'name', 'name,categoryId,name', 'name,categoryId,colour', 'Name,CategoryId'])(
  'a CSV file that begins with %j is refused',
  (header) => {
    expect(() => petReader('csv').read(header)).toThrow('must name its columns');
  },
);
