/** Drivers fail in odd ways without a host, or with a password that is not percent-encoded. */
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

/** Why a server cannot be reached, by the code of the error. */
export const UNREACHABLE: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name is not known',
  ECONNREFUSED: 'no server accepts connections there',
  ETIMEDOUT: 'no response in time',
};

/** A URL has an IPv6 address in brackets. Sockets take it without. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Stands for every address of the machine, so it cannot be part of a URL. */
export function isWildcard(hostname: string): boolean {
  return hostname === '0.0.0.0' || hostname === '::';
}
