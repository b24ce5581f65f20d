import { expect, spyOn, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { mintSecret } from '../../src/domain/key-secret.ts';
import { loggable } from '../../src/service/reporter.ts';

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
    { numRuns: 2_000 },
  );
});

test('a long text costs as little as what is shown of it', () => {
  using checksum = spyOn(Bun.hash, 'crc32');
  expect(loggable('a'.repeat(4_000))).toBe('a'.repeat(256));
  expect(checksum.mock.calls.length).toBeLessThan(512);
});
