import { isServerUrl } from '../../domain/server-url.ts';

/** REDIS_URL, taken apart. */
export interface RedisAddress {
  readonly kind: 'server' | 'sentinel' | 'cluster';
  /** The server, the Sentinels, or some nodes of the cluster. */
  readonly urls: readonly string[];
  /** The name that the Sentinels have for the master, or ''. */
  readonly masterName: string;
  /** The URL of a server that a Sentinel or a node named, with the user and password of REDIS_URL. */
  readonly urlOf: (host: string, port: number) => string;
}

export const REDIS_URL_FORMS =
  'redis://host:6379, redis+sentinel://host,host/master or redis+cluster://host,host';

const SINGLE = /^rediss?:\/\/./;
const SEVERAL =
  /^(rediss?)\+(sentinel|cluster):\/\/([^@/?#]*@)?([^@/?#]+)(?:\/([\w.-]*)(?:\/(\d*))?)?(\?[^#]*)?$/;
export const DEFAULT_PORT = 6_379;
const SENTINEL_PORT = 26_379;

/** Undefined if the text is not an address of Redis. */
export function parseRedisUrl(text: string): RedisAddress | undefined {
  if (isServerUrl(text, SINGLE)) {
    return { kind: 'server', urls: [text], masterName: '', urlOf: () => text };
  }
  const [matched, scheme, kind, user = '', hosts = '', path = '', database = '', query = ''] =
    SEVERAL.exec(text) ?? [];
  if (matched === undefined) return undefined;
  const isSentinel = kind === 'sentinel';
  // A master needs a name. A cluster has neither a name nor numbered databases.
  if (isSentinel ? path === '' : path + database + query !== '') return undefined;
  const password = new URLSearchParams(query).get('sentinelPassword');
  const sentinelUser = password === null ? '' : `:${encodeURIComponent(password)}@`;
  const urls = hosts
    .split(',')
    .map((host) => `${scheme}://${isSentinel ? sentinelUser : user}${host}`);
  const urlOf = (host: string, port: number) =>
    `${scheme}://${user}${host.includes(':') ? `[${host}]` : host}:${port}/${database}`;
  if (![...urls, urlOf('host', 1)].every((url) => isServerUrl(url, SINGLE))) return undefined;
  return isSentinel
    ? { kind: 'sentinel', urls: urls.map(withSentinelPort), masterName: path, urlOf }
    : { kind: 'cluster', urls, masterName: '', urlOf };
}

function withSentinelPort(url: string): string {
  return new URL(url).port === '' ? `${url}:${SENTINEL_PORT}` : url;
}
