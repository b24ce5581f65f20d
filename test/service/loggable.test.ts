import { expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { mintSecret } from '../../src/domain/key-secret.ts';
import { loggable, traceIdOf } from '../../src/service/reporter.ts';

const bare = mintSecret(randomBytes).slice(-38);
const encoded = (text: string) =>
  text.replace(/[^%]/g, (each) => `%${each.charCodeAt(0).toString(16)}`);
const FORMS = [bare, encoded(bare), encoded(bare).replaceAll('%', '%25')];

test('of a key at any place, no part shows', () => {
  const place = fc.nat({ max: 600 });
  const form = fc.constantFrom(...FORMS);
  fc.assert(
    fc.property(place, form, fc.nat({ max: 14 }), (at, key, others) => {
      const before = `${FORMS[0]}/`.repeat(others).padEnd(at, '/');
      const shown = loggable(`${before}${key}${'/'.repeat(600)}`);
      const decoded = shown.replaceAll('%25', '%').replace(/%(..)/g, (_, code) => {
        return String.fromCharCode(Number.parseInt(code, 16));
      });
      expect(shown.length).toBeLessThanOrEqual(256);
      expect(decoded).not.toContain(bare.slice(0, 3));
    }),
    { numRuns: 500 },
  );
});

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

test.each([`00-${TRACE}-${SPAN}-01`, `cc-${TRACE}-${SPAN}-00-later`])(
  '%s has a trace id',
  (header) => expect(traceIdOf(header)).toBe(TRACE),
);

test.each([
  [`ff-${TRACE}-${SPAN}-01`, 'a version that is not allowed'],
  [`00-${TRACE}-${SPAN}-01-more`, 'too long for its version'],
  [`00-${'0'.repeat(32)}-${SPAN}-01`, 'a trace id of zeros'],
  [`00-${TRACE}-${'0'.repeat(16)}-01`, 'a span id of zeros'],
  [`00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`, 'given twice'],
])('%j has none: it is %s', (header) => expect(traceIdOf(header)).toBeUndefined());
