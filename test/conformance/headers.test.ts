import { expect, test } from 'bun:test';
import { nextLink } from '../../src/conformance/headers.ts';

const linked = (link: string) =>
  nextLink({ status: 200, headers: new Headers({ Link: link }), text: '', json: undefined });

test.each([
  '</p?a=1>; rel="next"',
  '</p?a=1>; rel=next',
  '</p?a=1>; title="more"; rel="last next"; type="x"',
  '</p?a=0>; rel="first", </p?a=1>; REL="Next", </p?a=9>; rel="last"',
])('%s links the next page', (link) => {
  expect(linked(link)).toBe('/p?a=1');
});

test.each([
  '</p?a=1>; rel="nextfoo"',
  '</p?a=1>; rel=nextfoo',
  '</p?a=1>; rel="foo-next"',
  '</p?a=1>; rel="prev"',
])('%s does not link the next page', (link) => {
  expect(linked(link)).toBeUndefined();
});
