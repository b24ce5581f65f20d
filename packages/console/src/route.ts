import { useEffect, useState } from 'preact/hooks';
import { type Parameters, withQuery } from './service.ts';

/** The page that is shown, kept in the fragment of the address: `#/accounts/NAME?search=…`. */
interface PageAddress {
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
 * Filters the open list, starting at its first page, without a new entry in the history of the browser. A filter by
 * id replaces all other filters, and any other filter replaces the id.
 */
export function filterList(changes: Parameters): void {
  const { page, parameters } = parseRoute(location.hash);
  const others = 'id' in changes ? {} : { ...parameters, id: undefined, cursor: undefined };
  location.replace(linkTo(page, { ...others, ...changes }));
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

/** Returns the token of a sign-in link, and removes it from the address at once. */
export function takeToken(): string | undefined {
  const token = /^#token=(.+)$/.exec(location.hash)?.[1];
  if (token === undefined) return undefined;
  history.replaceState(null, '', '#/now');
  return token;
}
