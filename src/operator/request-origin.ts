import { isIP } from 'node:net';
import { CHANGE_HEADER } from '../contract/console-api.ts';
import { ConsoleError } from './console-error.ts';

const HOST = /^(?:\[([\da-f:.]+)\]|([^:@/?#\\\s]+))(?::\d{1,5})?$/i;

/**
 * Refuses names that an attacker's DNS could point to this machine. An IP address and `localhost`
 * do not come from DNS.
 */
export function requireAllowedHost(headers: Headers, allowed: ReadonlySet<string>): void {
  const host = headers.get('host') ?? '';
  const isValid = URL.canParse(`http://${host}`);
  const [, v6, name = ''] = (isValid && HOST.exec(host)) || [];
  const plain = name.toLowerCase().replace(/\.$/, '');
  if (v6 !== undefined ? isIP(v6) === 6 : isIP(plain) === 4) return;
  if (plain === 'localhost' || allowed.has(plain)) return;
  throw new ConsoleError(
    403,
    'The Host header names a host that is not allowed. Add it to OPERATOR_ALLOWED_HOSTS.',
  );
}

/** Refuses requests that a page of another origin makes a browser send. */
export function requireSameOrigin(request: Request): void {
  const { headers } = request;
  const site = headers.get('sec-fetch-site') ?? 'none';
  const origin = headers.get('origin');
  const isSameOrigin =
    origin === null || URL.parse(origin)?.host === headers.get('host')?.toLowerCase();
  if (!['same-origin', 'none'].includes(site) || !isSameOrigin) {
    throw new ConsoleError(403, 'Requests from pages of other sites are not allowed.');
  }
  if (isRead(request) || headers.get(CHANGE_HEADER) === '1') return;
  throw new ConsoleError(403, `A change needs the header ${CHANGE_HEADER}: 1.`);
}

/** A request that changes nothing. */
export function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}
