import { expect, test } from 'bun:test';
import { nextPageOf } from '../../src/client/next-page.ts';
import { answerOf } from './answer-of.ts';

test.each([
  ['</v1/pets?limit=1&after=7>; rel="next"', 7n],
  ['<https://shop.example/v1/pets?after=9223372036854775807>; rel=next', 9223372036854775807n],
  ['<?after=7#top>; title="a, b"; rel="next"', 7n],
  ['</v1/pets>; rel="first", </v1/pets?after=7>; rel="next"', 7n],
  ['</v1/pets?status=a,b&after=7>; rel="last next"; title="next"', 7n],
  ['</v1/pets?after=3>; rel="prev",</v1/pets?after=7>;rel=NEXT', 7n],
  ['</v1/pets?after=7>; rel="next-archive"', undefined],
  ['</v1/pets?after=7>; rel=nextish', undefined],
  ['</v1/pets?after=7>; title="rel=next"; rel="prev"', undefined],
  ['</v1/pets>; rel="successor-version"', undefined],
  ['</v1/pets?cursor=abc>; rel="next"', 'unknown'],
  ['</v1/pets?after=abc>; rel="next"', 'unknown'],
  ['', undefined],
])('the next page of %s is after %s', (link, after) => {
  expect(nextPageOf(answerOf(200, { Link: link }))).toBe(after as bigint);
});

test('a page that leads back is none to go to', () => {
  const answer = answerOf(200, { Link: '</v1/pets?after=7>; rel="next"' });
  expect(nextPageOf(answer, 6n)).toBe(7n);
  expect(nextPageOf(answer, 7n)).toBe('unknown');
});

test('a header of nothing but brackets is read in one go', () => {
  // Would take minutes if every bracket were a start from which to read to the end.
  expect(nextPageOf(answerOf(200, { Link: '<'.repeat(300_000) }))).toBeUndefined();
});
