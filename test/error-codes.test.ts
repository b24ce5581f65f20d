import { expect, test } from 'bun:test';
import { OPERATIONS, type Operation } from '../src/contract/operations.ts';

test.each(Object.entries<Operation>(OPERATIONS))(
  '%s can be removed if it is deprecated, and knows reused keys if it takes an Idempotency-Key',
  (_, { errors, deprecation, requestHeaders }) => {
    expect(errors.includes('operation_removed')).toBe(deprecation !== undefined);
    expect(errors.includes('idempotency_key_reused')).toBe('Idempotency-Key' in requestHeaders);
  },
);
