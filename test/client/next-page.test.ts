import { expect, test } from 'bun:test';
import { nextPageOf } from '../../packages/client/src/next-page.ts';
import { receivedResponse } from './received-response.ts';

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
  expect(nextPageOf(receivedResponse(200, { Link: link }))).toBe(after as bigint);
});

test('a link that leads back is not followed', () => {
  const response = receivedResponse(200, { Link: '</v1/pets?after=7>; rel="next"' });
  expect(nextPageOf(response, 6n)).toBe(7n);
  expect(nextPageOf(response, 7n)).toBe('unknown');
});

test('a header of 300,000 brackets is parsed in linear time', () => {
  // With backtracking this would take minutes.
  expect(nextPageOf(receivedResponse(200, { Link: '<'.repeat(300_000) }))).toBeUndefined();
});
