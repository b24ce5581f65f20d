import { isIP } from 'node:net';
import { ConsoleError } from './console-error.ts';

const HOST = /^(?:\[([\da-f:.]+)\]|([^:@/?#\\\s]+))(?::\d{1,5})?$/i;

/** A form of another site cannot send it, and no other site is allowed to. */
export const CHANGE_HEADER = 'X-Animal-Store-Console';

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
export function requireSameOrigin({ method, headers }: Request): void {
  const site = headers.get('sec-fetch-site') ?? 'none';
  const origin = headers.get('origin');
  const isSameOrigin =
    origin === null || URL.parse(origin)?.host === headers.get('host')?.toLowerCase();
  if (!['same-origin', 'none'].includes(site) || !isSameOrigin) {
    throw new ConsoleError(403, 'Requests from pages of other sites are not allowed.');
  }
  const isRead = method === 'GET' || method === 'HEAD';
  if (isRead || headers.get(CHANGE_HEADER) === '1') return;
  throw new ConsoleError(403, `A change needs the header ${CHANGE_HEADER}: 1.`);
}
