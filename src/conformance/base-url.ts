import { CannotRun } from './check-error.ts';

const PREFIX = '/v1';

/** The base address without a trailing slash. Adds /v1 to an address without a path. */
export function parseBaseUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    // It may be the key, in the wrong place.
    throw new CannotRun('The address must begin with http:// or https://.');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new CannotRun('The address must not have a user, a query or a fragment.');
  }
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path === '' ? PREFIX : path}`;
}

export function hasPrefix(baseUrl: string): boolean {
  return new URL(baseUrl).pathname.endsWith(PREFIX);
}
