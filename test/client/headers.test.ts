import { describe, expect, test } from 'bun:test';
import { nextPageOf, pauseSecondsOf } from '../../packages/client/src/response.ts';

const RECEIVED_AT_MS = Date.UTC(2026, 10, 15, 12);

function received(status: number, headers: Record<string, string>) {
  const url = 'https://shop.example/v1/pets';
  const response = { url, status, headers: new Headers(headers), requestId: undefined };
  return { response, text: '', receivedAtMs: RECEIVED_AT_MS };
}

describe('the pause that a response asks for', () => {
  const used = { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '0' };
  const inTenSeconds = { ...used, 'X-RateLimit-Reset': `${RECEIVED_AT_MS / 1000 + 10}` };
  const at = 'Sun, 15 Nov 2026 12:00:45 GMT';
  test.each<[status: number, headers: Record<string, string>, seconds: number | undefined]>([
    [429, { 'Retry-After': '30', ...inTenSeconds }, 30],
    [429, { 'Retry-After': at }, 45],
    [429, { 'Retry-After': at, Date: 'Sun, 15 Nov 2026 12:00:40 GMT' }, 5],
    [429, { 'Retry-After': 'Sun, 15 Nov 2026 11:00:00 GMT' }, 1],
    [429, { 'Retry-After': 'soon', ...inTenSeconds }, 10],
    [429, { ...used, 'X-RateLimit-Reset': '999999999999' }, 86_400],
    [429, {}, 60],
    [503, {}, undefined],
    [200, { 'Retry-After': '30' }, undefined],
  ])('%d with %j: %p seconds', (status, headers, seconds) => {
    expect(pauseSecondsOf(received(status, headers))).toBe(seconds);
  });
});

test.each([
  // The link leads back to the same page.
  ['</v1/pets?after=6>; rel="next"', undefined],
  ['<https://shop.example/v1/pets?after=9223372036854775807>; rel="next"', 9223372036854775807n],
  ['</v1/pets>; rel="first", </v1/pets?limit=1&after=7>; rel="next"', 7n],
  ['</v1/pets?after=7>; rel="prev"', undefined],
])('the next page of %s is after %s', (link, next) => {
  expect(nextPageOf(received(200, { Link: link }).response, 6n)).toMatchObject({ next });
});
