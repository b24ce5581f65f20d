import { isIPv4, isIPv6 } from 'node:net';

/**
 * The address that the proxies in front name. Each trusted one adds the address it saw to the end of
 * X-Forwarded-For, so the entry that many from the end is the client; what stands before it is
 * the client's own claim. Undefined when nobody is trusted, or no address is named.
 */
export function forwardedAddress(
  forwardedFor: string | null,
  trustedProxies: number,
): string | undefined {
  if (trustedProxies === 0 || forwardedFor === null) return undefined;
  const claim = entryFromEnd(forwardedFor, trustedProxies).trim();
  return isIPv4(claim) || isIPv6(claim) ? claim : undefined;
}

/** The entry that many from the end of a list, or the first; without the list being taken apart. */
function entryFromEnd(list: string, place: number): string {
  let end = list.length;
  let start = list.lastIndexOf(',') + 1;
  for (let passed = 1; passed < place && start > 0; passed++) {
    end = start - 1;
    start = end === 0 ? 0 : list.lastIndexOf(',', end - 1) + 1;
  }
  return list.slice(start, end);
}

/** The name under which an address is counted: one IPv6 host has a whole /64 to itself. */
export function addressSubject(address: string): string {
  if (!address.includes(':')) return `address:${address}`;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  return mapped === undefined ? `address:${prefix64(address)}::/64` : `address:${mapped}`;
}

function prefix64(address: string): string {
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const left = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const right = tail === '' ? [] : tail.split(':');
    const groups = right.length + (tail.includes('.') ? 1 : 0);
    while (left.length + groups < 8) left.push('0');
    left.push(...right);
  }
  return left
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
