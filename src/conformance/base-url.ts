import { CannotRun } from './verdict.ts';

const PREFIX = '/v1';

/** The base address without a slash at its end; an address without a path gets /v1. */
export function parseBaseUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new CannotRun(`The address must begin with http:// or https://, not be "${text}".`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new CannotRun('The address must have neither a user, a query nor a fragment.');
  }
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path === '' ? PREFIX : path}`;
}

export function hasPrefix(baseUrl: string): boolean {
  return new URL(baseUrl).pathname.endsWith(PREFIX);
}
