import { expect, test } from 'bun:test';
import { type SearchEntry, searchEntries } from '../../src/reference/search-entries.ts';

const entry = (title: string, text = ''): SearchEntry => ({
  title,
  kind: 'section',
  text,
  href: '',
});

function titles(entries: readonly SearchEntry[], query: string): string[] {
  return searchEntries(entries, query).map(({ title }) => title);
}

test('an exact title comes first, then beginnings, words, parts and texts', () => {
  const entries = [
    entry('Pages', 'A limit applies.'),
    entry('unlimited'),
    entry('rate_limit_day'),
    entry('Limits'),
    entry('limit'),
  ];
  expect(titles(entries, 'limit')).toEqual([
    'limit',
    'Limits',
    'rate_limit_day',
    'unlimited',
    'Pages',
  ]);
});

test.each([
  ['pet not found', 'pet_not_found'],
  ['PETID', 'petId'],
  ['pet id', 'petId'],
  ['idempotency-key', 'Idempotency-Key'],
  ['ratelimit', 'X-RateLimit-Limit'],
])('%s finds %s', (query, title) => {
  expect(titles([entry('Errors'), entry(title)], query)).toEqual([title]);
});

test('every word must match', () => {
  const entries = [entry('categoryId', 'The id of the category.')];
  expect(titles(entries, 'category id')).toEqual(['categoryId']);
  expect(titles(entries, 'category name')).toEqual([]);
  expect(titles(entries, ' ')).toEqual([]);
});
