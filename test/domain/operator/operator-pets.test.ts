import { expect, test } from 'bun:test';
import { parsePetLine } from '../../../src/domain/operator/operator-pets.ts';

test('CRLF is accepted, and the status is optional', () => {
  const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const;
  expect(parsePetLine('{"name":"Rex","categoryId":1.0}\r')).toEqual(rex);
});

test.each([
  ['oops', 'not JSON: expected a value at character 1'],
  ['{"name":"x"}', 'categoryId is required'],
  ['{"name":"x","name":"y","categoryId":1}', 'a field is repeated'],
  [`{"name":"${'x'.repeat(70_000)}"}`, 'the line is too long'],
])('a bad line has a reason: %j', (text, reason) => {
  expect(() => parsePetLine(text)).toThrow(reason);
});
