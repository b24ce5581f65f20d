import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { Glob } from 'bun';
import type { Section } from '../src/conformance/check.ts';
import { CHECK_COUNT } from '../src/conformance/run.ts';
import { API_PREFIX, API_VERSION } from '../src/contract/api.ts';
import { ERRORS } from '../src/contract/errors.ts';
import { OPERATIONS } from '../src/contract/operations.ts';

const page = readFileSync('docs/conformance.md', 'utf8');

/** Rows of the page: a statement, the file that proves it and the test or check in there. */
const rows = [...page.matchAll(/^\| (\d+) \| (.+?) \| `((?:test|src)\/[^`]+)` \| (.+?) \|$/gm)].map(
  ([, number, statement, file, name]) => ({
    number: Number(number),
    statement: statement as string,
    file: file as string,
    name: name as string,
  }),
);

/** Rows of the last table: a check that cannot be made, and its file. */
const unseen = [...page.matchAll(/^\| ([\w.]+) \| `(src\/conformance\/[^`]+)` \| .+ \|$/gm)].map(
  ([, name, file]) => ({ file: file as string, name: name as string }),
);

test('the page of conformance lists the statements of the interface one by one', () => {
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

test('the page names every check of a deployment, in the file that has it, and no others', async () => {
  const named = [...rows, ...unseen].filter(({ file }) => file.startsWith('src/conformance/'));
  const existing: string[] = [];
  for (const file of new Set(named.map(({ file }) => file))) {
    const sections: Section[] = Object.values(await import(`../${file}`));
    const checks = sections.flatMap(({ checks = [] }) => checks);
    existing.push(...checks.map(({ id }) => `${file} ${id}`));
  }
  const unique = new Set(named.map(({ file, name }) => `${file} ${name}`));
  expect([...unique].sort()).toEqual(existing.sort());
  expect(existing).toHaveLength(CHECK_COUNT);
});

test('the version of the interface is 1.0.0 and its prefix /v1', () => {
  expect([API_VERSION, API_PREFIX]).toEqual(['1.0.0', '/v1']);
});

test('every error code is thrown somewhere and belongs to an operation or to a path', () => {
  const sources = [...new Glob('src/**/*.ts').scanSync('.')]
    .filter((file) => !file.endsWith('contract/errors.ts') && !file.endsWith('domain/error.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const ofOperations = new Set<string>(Object.values(OPERATIONS).flatMap(({ errors }) => errors));
  const ofPaths = ['route_not_found', 'method_not_allowed'];
  for (const code of Object.keys(ERRORS)) {
    // The two codes of the windows are put together from a prefix and the name of the window.
    expect(sources).toContain(code.startsWith('rate_limit_') ? '`rate_limit_$' : `'${code}'`);
    expect(ofOperations.has(code) || ofPaths.includes(code)).toBe(true);
  }
});
