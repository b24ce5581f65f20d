import { describe, expect, test } from 'bun:test';
import { type Answer, errorFrom, holdSecondsOf, nextPageOf } from '../../src/client/answer.ts';

const NOW = 'Sun, 15 Nov 2026 12:00:00 GMT';

function answer(status: number, headers: Record<string, string>, text = ''): Answer {
  return { status, headers: new Headers(headers), text, receivedAtMs: Date.parse(NOW) };
}

describe('the next page', () => {
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
    ['', undefined],
  ])('of %s is after %s', (link, after) => {
    expect(nextPageOf(answer(200, { Link: link }))).toBe(after as bigint);
  });
});

describe('how long nothing should be sent', () => {
  const reset = { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '0' };
  const inTenSeconds = { ...reset, 'X-RateLimit-Reset': String(Date.parse(NOW) / 1000 + 10) };
  test.each([
    [429, { 'Retry-After': '30', ...inTenSeconds }, 30],
    [429, { 'Retry-After': 'Sun, 15 Nov 2026 12:00:45 GMT' }, 45],
    [
      429,
      { 'Retry-After': 'Sun, 15 Nov 2026 12:00:45 GMT', Date: 'Sun, 15 Nov 2026 12:00:40 GMT' },
      5,
    ],
    [429, { 'Retry-After': 'Sun, 15 Nov 2026 11:00:00 GMT' }, 1],
    [429, { 'Retry-After': '0' }, 1],
    [429, { 'Retry-After': 'soon', ...inTenSeconds }, 10],
    [429, { ...reset, 'X-RateLimit-Reset': '999999999999999' }, 60],
    [429, {}, 60],
    [503, { 'Retry-After': '30' }, 30],
    [503, {}, undefined],
    [200, { 'Retry-After': '30' }, undefined],
  ])('is after %d with %j: %p seconds', (status, headers, seconds) => {
    expect(holdSecondsOf(answer(status, headers as Record<string, string>))).toBe(
      seconds as number,
    );
  });
});

test('a 429 is a RateLimitError whatever its body is', () => {
  const error = errorFrom(answer(429, { 'Retry-After': '30' }, 'slow down'), 'listPets');
  expect(error).toMatchObject({
    ...{ name: 'RateLimitError', status: 429, code: 'too_many_requests', limit: undefined },
    ...{ retryAfterSeconds: 30, resetAt: new Date('2026-11-15T12:00:30Z') },
  });
});
