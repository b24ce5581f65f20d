/** The subject that an address is counted as. One IPv6 host owns a whole /64. */
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
