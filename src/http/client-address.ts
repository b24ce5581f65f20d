import { isIPv4, isIPv6 } from 'node:net';

/**
 * The client's address according to the trusted proxies. Each of them appends the address it saw to
 * X-Forwarded-For; the client may have written any entry before those. Undefined without one.
 */
export function forwardedAddress(
  forwardedFor: string | null,
  trustedProxies: number,
): string | undefined {
  if (trustedProxies === 0 || forwardedFor === null) return undefined;
  const entries = forwardedFor.split(',');
  const entry = entries[Math.max(0, entries.length - trustedProxies)]?.trim() ?? '';
  return isIPv4(entry) || isIPv6(entry) ? entry : addressBeforePort(entry);
}

/** Some proxies report `192.0.2.1:49152`, `[2001:db8::1]:49152` or `[2001:db8::1]`. */
function addressBeforePort(entry: string): string | undefined {
  const [, v6, v4] = /^(?:\[([^\]]+)\]|([\d.]+)(?=:))(?::\d{1,5})?$/.exec(entry) ?? [];
  if (v6 !== undefined && isIPv6(v6)) return v6;
  return v4 !== undefined && isIPv4(v4) ? v4 : undefined;
}
