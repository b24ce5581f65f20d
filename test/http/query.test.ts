import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { z } from 'zod';
import { readQuery } from '#http/query.ts';

const text = { description: '', schema: z.string(), rule: '', absent: undefined };
const PARAMETERS = { a: { ...text, parse: (value: string) => value } };

test('readQuery reads a query as URLSearchParams does', () => {
  const piece = fc.constantFrom(...'aAb=&%+?# ;é', '%61', '');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const query = pieces.join('');
      const [first, ...more] = new URLSearchParams(query).getAll('a');
      if (more.length > 0) expect(() => readQuery(query, PARAMETERS)).toThrow('only once');
      else expect(readQuery(query, PARAMETERS).a).toBe(first);
    }),
    { numRuns: 2_000 },
  );
});

test('readQuery reads 50 parameters and refuses more', () => {
  expect(readQuery(`a=1${'&b=2'.repeat(49)}`, PARAMETERS).a).toBe('1');
  expect(() => readQuery(`a=1${'&%62'.repeat(50)}`, PARAMETERS)).toThrow(
    'The query must have at most 50 parameters.',
  );
});
