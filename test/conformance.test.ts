import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { Glob } from 'bun';
import { CONTRACT } from '../src/conformance/run.ts';
import { API_PREFIX, API_VERSION } from '../src/contract/api.ts';
import { ERRORS } from '../src/contract/errors.ts';
import { OPERATIONS } from '../src/contract/operations.ts';

const page = readFileSync('docs/conformance.md', 'utf8');

/** Rows of the page: the file and name of a test. */
const rows = [...page.matchAll(/^\| `(test\/[^`]+)` \| (.+?) \|$/gm)].map(([, file, name]) => ({
  file: file as string,
  name: name as string,
}));

test('every test that docs/conformance.md names exists', () => {
  expect(rows.length).toBeGreaterThanOrEqual(25);
  const missing = rows.filter(({ file, name }) => {
    const source = readFileSync(file, 'utf8').replaceAll("\\'", "'");
    return !new RegExp(
      `\\b(test|describe)(\\.each\\([^;]*?\\))?\\(\\s*'${RegExp.escape(name)}'`,
    ).test(source);
  });
  expect(missing).toEqual([]);
});

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
