import { useEffect, useState } from 'preact/hooks';
import { type Parameters, withQuery } from './service.ts';

/** The place in the console, kept in the fragment: `#/accounts/NAME?search=…`. */
export interface PageAddress {
  readonly page: string;
  /** The name of the account, for its page. */
  readonly name: string | undefined;
  readonly parameters: Readonly<Record<string, string>>;
}

export function parseRoute(hash: string): PageAddress {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [page, name] = path.split('/');
  return {
    page: page || 'now',
    name: name ? decode(name) : undefined,
    parameters: Object.fromEntries(new URLSearchParams(query)),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function linkTo(path: string, parameters: Parameters = {}): string {
  return `#/${withQuery(path, parameters)}`;
}

/**
 * Filters the list that is open, from its first page on, without a new entry in the browser's history.
 * An id needs no other filter: it replaces them, and they replace it.
 */
export function filterList(changes: Parameters): void {
  const { page, parameters } = parseRoute(location.hash);
  const others = 'id' in changes ? {} : { ...parameters, id: undefined, cursor: undefined };
  const link = linkTo(page, { ...others, ...changes });
  history.replaceState(null, '', link);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

export function useRoute(): PageAddress {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const update = () => setHash(location.hash);
    window.addEventListener('hashchange', update);
    return () => window.removeEventListener('hashchange', update);
  }, []);
  return parseRoute(hash);
}

/** Removes the token of a sign-in link from the address at once, and returns it. */
export function takeToken(): string | undefined {
  const token = /^#token=(.+)$/.exec(location.hash)?.[1];
  if (token === undefined) return undefined;
  history.replaceState(null, '', '#/now');
  return token;
}
