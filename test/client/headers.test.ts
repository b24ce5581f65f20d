import { describe, expect, test } from 'bun:test';
import { nextPageOf, pauseSecondsOf } from '../../packages/client/src/headers.ts';
import { RECEIVED_AT, receivedResponse } from './received-response.ts';

describe('the pause that a response asks for', () => {
  const reset = { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '0' };
  const inTenSeconds = {
    ...reset,
    'X-RateLimit-Reset': String(Date.parse(RECEIVED_AT) / 1000 + 10),
  };
  test.each([
    [429, { 'Retry-After': '30', ...inTenSeconds }, 30],
    [429, { 'Retry-After': 'Sun, 15 Nov 2026 12:00:45 GMT' }, 45],
    [
      429,
      { 'Retry-After': 'Sun, 15 Nov 2026 12:00:45 GMT', Date: 'Sun, 15 Nov 2026 12:00:40 GMT' },
      5,
    ],
    [429, { 'Retry-After': 'Sun, 15 Nov 2026 11:00:00 GMT' }, 1],
    [429, { 'Retry-After': 'soon', ...inTenSeconds }, 10],
    [429, { ...reset, 'X-RateLimit-Reset': '999999999999' }, 86_400],
    [429, {}, 60],
    [503, { 'Retry-After': '30' }, 30],
    [503, {}, undefined],
    [200, { 'Retry-After': '30' }, undefined],
  ])('%d with %j: %p seconds', (status, headers, seconds) => {
    expect(pauseSecondsOf(receivedResponse(status, headers as Record<string, string>))).toBe(
      seconds as number,
    );
  });
});

test.each([
  ['</v1/pets?limit=1&after=7>; rel="next"', 7n],
  ['<https://shop.example/v1/pets?after=9223372036854775807>; rel="next"', 9223372036854775807n],
  ['</v1/pets>; rel="first", </v1/pets?after=7>; rel="next"', 7n],
  ['</v1/pets?after=7>; rel="prev"', undefined],
  ['</v1/pets?cursor=abc>; rel="next"', 'unknown'],
])('the next page of %s is after %s', (link, after) => {
  expect(nextPageOf(receivedResponse(200, { Link: link }))).toBe(after as bigint);
});

test('a link that leads back is not followed', () => {
  const response = receivedResponse(200, { Link: '</v1/pets?after=7>; rel="next"' });
  expect(nextPageOf(response, 7n)).toBe('unknown');
});
