import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { Glob } from 'bun';
import type { Check } from '../src/conformance/check.ts';
import { CHECK_COUNT } from '../src/conformance/run.ts';
import { API_PREFIX, API_VERSION } from '../src/contract/api.ts';
import { ERRORS } from '../src/contract/errors.ts';
import { OPERATIONS } from '../src/contract/operations.ts';

const page = readFileSync('docs/conformance.md', 'utf8');

/** Rows of the page: a statement, and the file and name of the test or check that proves it. */
const rows = [...page.matchAll(/^\| (\d+) \| (.+?) \| `((?:test|src)\/[^`]+)` \| (.+?) \|$/gm)].map(
  ([, number, statement, file, name]) => ({
    number: Number(number),
    statement: statement as string,
    file: file as string,
    name: name as string,
  }),
);

test('docs/conformance.md numbers the statements of the contract', () => {
  expect(rows.length).toBeGreaterThanOrEqual(60);
  expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1));
});

test('every test that the page names exists', () => {
  const missing = rows.filter(({ file, name }) => {
    if (!file.startsWith('test/')) return false;
    const source = readFileSync(file, 'utf8').replaceAll("\\'", "'");
    return !new RegExp(
      `\\b(test|describe)(\\.each\\([^;]*?\\))?\\(\\s*'${RegExp.escape(name)}'`,
    ).test(source);
  });
  expect(missing).toEqual([]);
});

test('the page names exactly the checks that exist, with their files', async () => {
  const named = rows.filter(({ file }) => file.startsWith('src/conformance/'));
  const existing: string[] = [];
  for (const file of new Set(named.map(({ file }) => file))) {
    const exported: unknown[] = Object.values(await import(`../${file}`));
    const checks: Check[] = exported.filter(Array.isArray).flat();
    existing.push(...checks.map(({ id }) => `${file} ${id}`));
  }
  const unique = new Set(named.map(({ file, name }) => `${file} ${name}`));
  expect([...unique].sort()).toEqual(existing.sort());
  expect(existing).toHaveLength(CHECK_COUNT);
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
