import { useEffect, useState } from 'preact/hooks';

/** The place in the console, kept in the fragment: `#/accounts/NAME?search=…`. */
export interface Route {
  readonly page: string;
  /** The name of the account, for its page. */
  readonly name: string | undefined;
  readonly parameters: Readonly<Record<string, string>>;
}

function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [page = '', name] = path.split('/');
  return {
    page: page === '' ? 'now' : page,
    name: name === undefined || name === '' ? undefined : decode(name),
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

export function linkTo(
  page: string,
  parameters: Readonly<Record<string, string | undefined>> = {},
  name?: string,
): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== '') query.set(key, value);
  }
  const path = name === undefined ? page : `${page}/${encodeURIComponent(name)}`;
  return query.size === 0 ? `#/${path}` : `#/${path}?${query}`;
}

/** Replaces the address without a new entry in the history, for filters. */
export function replaceRoute(link: string): void {
  history.replaceState(null, '', link);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

export function useRoute(): Route {
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
  return decode(token);
}
