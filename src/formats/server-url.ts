/** Checks what drivers do not: without a host, or with a password that is not percent-encoded, they fail in odd ways. */
export function isServerUrl(text: string, scheme: RegExp): boolean {
  try {
    const { hostname, hash, username, password, pathname } = new URL(text);
    const parts = [username, password, pathname].map(decodeURIComponent);
    if (hostname === '' || hash !== '') return false;
    return scheme.test(text) && !parts.some((part) => part.includes('\0'));
  } catch {
    return false;
  }
}

/** Explains why a server cannot be reached, by the code of the error. */
export const UNREACHABLE: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name is not known',
  ECONNREFUSED: 'no server accepts connections there',
  ETIMEDOUT: 'no response in time',
};

/** In a URL an IPv6 address has brackets, which sockets do not accept. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** True for a host that means every address of the machine, and therefore does not work in a URL that somebody else opens. */
export function isWildcard(hostname: string): boolean {
  return hostname === '0.0.0.0' || hostname === '::';
}

/** True for a host that only programs of this machine can reach. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(hostname);
}
