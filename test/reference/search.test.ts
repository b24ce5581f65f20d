import { describe, expect, test } from 'bun:test';
import { ERROR_CODES } from '../../src/contract/errors.ts';
import { newSearch, type SearchEntry } from '../../src/reference/browser/search.ts';
import { ReferencePages } from '../../src/reference/reference-pages.tsx';

const publicUrl = () => 'https://animal-store.example';
const pages = new ReferencePages({ publicUrl, programVersion: '0.0.0' });
const path = '/docs/search.json';
const file = pages.read(new Request(publicUrl() + path), path);
const find = newSearch(JSON.parse(`${file?.body}`) as SearchEntry[]);

/** The results that a reader of the pages gets. */
const search = (query: string) => find(query).map(({ href }) => href);

describe('the first result', () => {
  test.each([
    ['pagination', 'docs#pagination'],
    ['cursor', 'docs#pagination'],
    ['rate limiting', 'docs/limits'],
    ['limt', 'docs/limits'],
    ['throttle', 'docs/limits#refusals'],
    ['ban', 'docs/limits#bans'],
    ['openapi', 'docs#clients'],
    ['cors', 'docs#web-pages'],
    ['bigint', 'docs#numbers'],
    ['authorization', 'docs#authentication'],
    ['errors', 'docs/errors'],
    ['retry', 'docs#retries'],
    ['sunset', 'docs#header-Sunset'],
    ['staging', 'docs#staging'],
    ['headers', 'docs#headers'],
    ['quickst', 'docs#quickstart'],
    ['pet id', 'docs#parameter-getPet-petId'],
    ['pet not found', 'docs/errors#pet_not_found'],
    ['list pets', 'docs#listPets'],
  ])('for %p is %s', (query, href) => {
    expect(search(query)[0]).toBe(href);
  });

  test('for a status is an error', () => {
    expect(search('429')[0]).toStartWith('docs/errors#');
  });

  test.each(ERROR_CODES)('for %p explains it', (code) => {
    expect(search(code)[0]).toBe(`docs/errors#${code}`);
  });
});

test('every word must match', () => {
  expect(search('category id')[0]).toEndWith('-categoryId');
  expect(search('category nonsense')).toEqual([]);
  expect(search(' ')).toEqual([]);
});
