import { expect, test } from 'bun:test';
import {
  parseHeader,
  parseRecord,
  RECORD_FIELDS,
  recordToJson,
  VERSION,
} from '#domain/operator/transfer.ts';
import { REX } from './databases.ts';

test('a pet needs an id that a list can start before, and after which another can get one', () => {
  const parse = (id: bigint) => () =>
    parseRecord(recordToJson({ kind: 'pet', value: { id, ...REX } }));
  const [first, last] = [-9223372036854775807n, 9223372032559808511n];
  for (const id of [first, last]) expect(parse(id)()).toHaveProperty('value.id', id);
  for (const id of [first - 1n, last + 1n]) {
    expect(parse(id)).toThrow(`pet: must have an id from ${first} to ${last}`);
  }
});

test('an export with other fields has another version: older programs would drop them', () => {
  const fields = Bun.SHA256.hash(JSON.stringify(RECORD_FIELDS), 'hex').slice(0, 8);
  // A line for each version: those of a release never change.
  expect({ 1: '311e346b', 2: '17a625ad', 3: '3ac426c8' }).toHaveProperty(`${VERSION}`, fields);
});

test('an export of a newer version is refused', () => {
  const parse = (version: bigint) => () =>
    parseHeader(`{"format":"animal-store","version":${version}}`);
  expect(parse(VERSION + 1n)).toThrow(
    'A newer version of Animal Store wrote this export. Use that version.',
  );
  expect(parse(VERSION)).toThrow('This is not an Animal Store export.');
});
