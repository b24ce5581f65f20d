import { describe, expect, test } from 'bun:test';
import {
  headerToJson,
  parseHeader,
  parseRecord,
  recordToJson,
  type StoreRecord,
} from '../../../src/domain/operator/transfer.ts';

const RECORDS: readonly StoreRecord[] = [
  {
    kind: 'account',
    value: {
      ...{ id: 2, name: 'zoo', plan: 'enterprise', perMinute: 5, perDay: 50, createdAtMs: 2 },
      ...{ suspendedAtMs: 3, suspensionReason: 'unpaid' },
    },
  },
  {
    kind: 'key',
    value: {
      ...{ id: 1, accountId: 1, hash: 'ab'.repeat(32), label: 'phone', createdAtMs: 3 },
      ...{ expiresAtMs: 9, revokedAtMs: null, unbannedAtMs: 0, successorId: null },
    },
  },
  {
    kind: 'pet',
    value: { id: 2n ** 62n, name: 'Rex "the" 🐕', categoryId: -(2n ** 63n), status: 'sold' },
  },
];

describe('a line of an export', () => {
  test.each(RECORDS.map((record) => [record.kind, record] as const))(
    'of kind %s is parsed to the same record, with every digit',
    (_, record) => {
      expect(parseRecord(recordToJson(record))).toEqual(record);
    },
  );

  test.each([
    ['an unknown kind', '{"dragon":{}}'],
    ['the name of an inherited property as kind', '{"toString":{}}'],
    ['a pet without a name', '{"pet":{"id":1,"categoryId":1,"status":"sold"}}'],
    [
      'only one of the two Enterprise limits',
      '{"account":{"id":1,"name":"zoo","plan":"enterprise","perMinute":1,"perDay":null,"createdAtMs":1,"suspendedAtMs":null,"suspensionReason":""}}',
    ],
  ])('with %s is refused', (_, line) => {
    expect(() => parseRecord(line)).toThrow('not a valid record');
  });
});

describe('the first line of an export', () => {
  const header = {
    counts: {
      ...{ account: 1, key: 2, pet: 3, idempotencyKey: 4, auditEntry: 5 },
      ...{ usagePeriod: 6, keyUse: 7 },
    },
    lastPetId: 2n ** 63n - 1n,
  };

  test('has the number of records of each kind, and the last id with every digit', () => {
    expect(parseHeader(headerToJson(header))).toMatchObject(header);
  });

  test.each(['', '{}', headerToJson(header).replace('"lastPetId"', '"last"')])(
    'that is %p is refused',
    (line) => {
      expect(() => parseHeader(line)).toThrow('This is not an Animal Store export.');
    },
  );

  test('of another version is refused', () => {
    const line = headerToJson(header).replace('"version":1', '"version":2');
    expect(() => parseHeader(line)).toThrow(
      'Another version of Animal Store wrote this export. Use that version. Nothing was changed.',
    );
  });
});
