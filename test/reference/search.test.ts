import { describe, expect, test } from 'bun:test';
import { ERROR_CODES, ERRORS } from '../../src/contract/errors.ts';
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
    ['paginate', 'docs#pagination'],
    ['cursor', 'docs#pagination'],
    ['offset', 'docs#pagination'],
    ['quota', 'docs/limits'],
    ['rate limiting', 'docs/limits'],
    ['limt', 'docs/limits'],
    ['throttle', 'docs/limits#refusals'],
    ['backoff', 'docs/limits#refusals'],
    ['ban', 'docs/limits#bans'],
    ['sdk', 'docs#clients'],
    ['typescript', 'docs#clients'],
    ['python', 'docs#clients'],
    ['go', 'docs#clients'],
    ['curl', 'docs#clients'],
    ['fetch', 'docs#clients'],
    ['openapi', 'docs#clients'],
    ['cors', 'docs#header-Access-Control-Allow-Origin'],
    ['bigint', 'docs#numbers'],
    ['int64', 'docs#numbers'],
    ['authorization', 'docs#authentication'],
    ['bearer', 'docs#authentication'],
    ['errors', 'docs/errors'],
    ['retry', 'docs#retries'],
    ['idempotency', 'docs#retries'],
    ['deprecated', 'docs/changes#deprecations'],
    ['sunset', 'docs#header-Sunset'],
    ['staging', 'docs#staging'],
    ['versioning', 'docs/changes#versions'],
    ['headers', 'docs#headers'],
    ['pagi', 'docs#pagination'],
    ['quickst', 'docs#quickstart'],
    ['pet id', 'docs#parameter-getPet-petId'],
    ['PETID', 'docs#parameter-getPet-petId'],
    ['pet not found', 'docs/errors#pet_not_found'],
    ['list pets', 'docs#listPets'],
  ])('for %p is %s', (query, href) => {
    expect(search(query)[0]).toBe(href);
  });

  test.each([400, 401, 404, 410, 422, 429, 500, 503])('for %d is an error', (status) => {
    const codes = ERROR_CODES.filter((code) => ERRORS[code].status === status);
    expect(codes.map((code) => `docs/errors#${code}`)).toContain(search(`${status}`)[0] ?? '');
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
