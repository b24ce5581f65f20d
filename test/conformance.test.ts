import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { Glob } from 'bun';
import { CONTRACT } from '../src/conformance/run.ts';
import { API_PREFIX, API_VERSION } from '../src/contract/api.ts';
import { ERRORS } from '../src/contract/errors.ts';
import { OPERATIONS } from '../src/contract/operations.ts';

const page = readFileSync('docs/conformance.md', 'utf8');

test('every statement that docs/conformance.md names exists, once', () => {
  const ids = CONTRACT.flatMap(({ statements }) => statements.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  expect(page).toContain(`a list of ${ids.length} statements`);
  const named = page.match(/\b(service|resources|listPets|getPet|limits)(\.\w+)+(?=[,' |])/g) ?? [];
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((id) => !ids.includes(id))).toEqual([]);
});

test('the API version is 1.0.0 and the prefix is /v1', () => {
  expect([API_VERSION, API_PREFIX]).toEqual(['1.0.0', '/v1']);
});

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
