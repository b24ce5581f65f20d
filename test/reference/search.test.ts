import { describe, expect, test } from 'bun:test';
import { ERROR_CODES } from '../../src/contract/errors.ts';
import { newSearch, type SearchEntry } from '../../src/reference/browser/search.ts';
import { ReferencePages } from '../../src/reference/reference-pages.tsx';

/** The results that a reader of the pages gets. */
function searchOf(
  environment: 'production' | 'staging' = 'production',
): (query: string) => string[] {
  const publicUrl = () => 'https://animal-store.example';
  const pages = new ReferencePages({ publicUrl, programVersion: '0.0.0', environment });
  const path = '/docs/search.json';
  const file = pages.read(new Request(publicUrl() + path), path);
  const search = newSearch(JSON.parse(`${file?.body}`) as SearchEntry[]);
  return (query) => search(query).map(({ href }) => href);
}

const search = searchOf();

describe('the first result', () => {
  test.each([
    ['pagination', 'docs#pagination'],
    ['cursor', 'docs#pagination'],
    ['rate limiting', 'docs/limits'],
    ['limt', 'docs/limits'],
    ['throttle', 'docs/limits#refusals'],
    ['ban', 'docs/limits#bans'],
    ['openapi', 'docs#clients'],
    ['cors', 'docs#header-Access-Control-Allow-Origin'],
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

  test('for staging, on staging, is how to rehearse', () => {
    expect(searchOf('staging')('staging')[0]).toBe('docs#rehearse');
  });
});

test('every word must match', () => {
  expect(search('category id')[0]).toEndWith('-categoryId');
  expect(search('category nonsense')).toEqual([]);
  expect(search(' ')).toEqual([]);
});
