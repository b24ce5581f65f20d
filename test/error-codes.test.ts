import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { Glob } from 'bun';
import { ERRORS } from '../src/contract/errors.ts';
import { OPERATIONS, type Operation } from '../src/contract/operations.ts';

test('every error code is thrown somewhere and belongs to an operation or to a path', () => {
  const sources = [...new Glob('src/**/*.ts').scanSync('.')]
    .filter((file) => !file.endsWith('contract/errors.ts') && !file.endsWith('domain/error.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const operationCodes = new Set<string>(Object.values(OPERATIONS).flatMap(({ errors }) => errors));
  const pathCodes = ['route_not_found', 'method_not_allowed'];
  for (const code of Object.keys(ERRORS)) {
    // The two rate limit codes are built from a prefix and the name of the window.
    expect(sources).toContain(code.startsWith('rate_limit_') ? '`rate_limit_$' : `'${code}'`);
    expect(operationCodes.has(code) || pathCodes.includes(code)).toBe(true);
  }
});

test.each(Object.entries<Operation>(OPERATIONS))(
  '%s can be removed if it is deprecated, and knows reused keys if it takes an Idempotency-Key',
  (_, { errors, deprecation, requestHeaders }) => {
    expect(errors.includes('operation_removed')).toBe(deprecation !== undefined);
    expect(errors.includes('idempotency_key_reused')).toBe('Idempotency-Key' in requestHeaders);
  },
);
