import { expect, test } from 'bun:test';
import { isIP } from 'node:net';
import fc from 'fast-check';
import { addressSubject } from '#domain/rate-limit.ts';
import { forwardedAddress } from '#http/server.ts';

test.each([
  ['no proxy is trusted', '203.0.113.1', 0, undefined],
  ['the proxy sends no header', null, 1, undefined],
  ['the proxy reports a port', '203.0.113.1:49152', 1, '203.0.113.1'],
  ['the proxy reports IPv6 with a port', '[2001:db8::1]:49152', 1, '2001:db8::1'],
  ['the last group of IPv6 is not a port', '2001:db8::5:6', 1, '2001:db8::5:6'],
  ['a bracket is missing', '[2001:db8::1', 1, undefined],
  ['IPv6 has a zone, which may be any text', 'fe80::1%0secret', 1, undefined],
])('the address that proxies report: %s', (_, forwarded, proxies, address) => {
  expect(forwardedAddress(forwarded, proxies)).toBe(address);
});

test('with n trusted proxies, the address is the nth entry from the end, or the first entry', () => {
  const entries = fc.array(fc.constantFrom('', ' ', '192.0.2.1', ' 2001:db8::1 ', 'x'), {
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(entries, fc.integer({ min: 1, max: 6 }), (list, proxies) => {
      const claim = (list.at(-proxies) ?? list[0] ?? '').trim();
      const address = isIP(claim) === 0 ? undefined : claim;
      expect(forwardedAddress(list.join(','), proxies)).toBe(address);
    }),
  );
});

test.each([
  ['192.0.2.1', 'address:192.0.2.1'],
  ['::ffff:192.0.2.1', 'address:192.0.2.1'],
  ['::FFFF:c000:201', 'address:192.0.2.1'],
  ['1::2:3:4:1.2.3.4', 'address:1:0:0:2::/64'],
  ['2001:0DB8:0001:0002::9', 'address:2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'address:fe80:0:0:0::/64'],
])('requests are counted by IPv4 address or by IPv6 /64: %s counts as %s', (address, subject) => {
  expect(addressSubject(address)).toBe(subject);
});
