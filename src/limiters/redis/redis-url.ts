import { connect as connectSocket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { isServerUrl, UNREACHABLE, withoutBrackets } from '../../domain/server-url.ts';

/** REDIS_URL, taken apart. */
export interface RedisAddress {
  readonly kind: 'server' | 'sentinel' | 'cluster';
  /** The server, the Sentinels, or some nodes of the cluster. */
  readonly urls: readonly string[];
  /** The name that the Sentinels have for the master, or ''. */
  readonly masterName: string;
  /** The URL of a server that a Sentinel or a node named, with the user and password of REDIS_URL. */
  readonly urlOf: (host: string, port: number | string) => string;
}

export const REDIS_URL_FORMS =
  'redis://host:6379, redis+sentinel://host,host/master or redis+cluster://host,host';

const SINGLE = /^rediss?:\/\/./;
const SEVERAL =
  /^(rediss?)\+(sentinel|cluster):\/\/([^@/?#]*@)?([^@/?#]+)(?:\/([\w.-]*)(?:\/(\d*))?)?(\?[^#]*)?$/;
const DEFAULT_PORT = 6_379;
const SENTINEL_PORT = 26_379;

const CONNECT_MS = 2_000;

/** Error responses of Redis begin with a code, such as READONLY or LOADING. */
const ERROR_RESPONSE = /^[A-Z]+ /;

/** Only the operator can correct these. docs/scaling.md explains them. */
const MISTAKES = [
  /^(WRONGPASS|NOAUTH|NOPERM|DENIED) /,
  /DB index is out of range|cluster support disabled|No such master|unknown command '?SENTINEL/,
  /SELF_SIGNED_CERT|UNABLE_TO_(VERIFY|GET_ISSUER)|CERT_UNTRUSTED|ERR_TLS_CERT_ALTNAME/,
  /use redis\+/,
];

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
  const [login, port] = isSentinel ? [sentinelUser, SENTINEL_PORT] : [user, DEFAULT_PORT];
  const urls = hosts
    .split(',')
    .map((host) => (/:\d+$/.test(host) ? host : `${host}:${port}`))
    .map((host) => `${scheme}://${login}${host}`);
  const urlOf: RedisAddress['urlOf'] = (host, port) =>
    `${scheme}://${user}${host.includes(':') ? `[${host}]` : host}:${port}/${database}`;
  if (![...urls, urlOf('host', 1)].every((url) => isServerUrl(url, SINGLE))) return undefined;
  return { kind: isSentinel ? 'sentinel' : 'cluster', urls, masterName: path, urlOf };
}

/** The hosts and ports of a URL, without the password. */
export function redisAddress(url: string): string {
  const urls = parseRedisUrl(url)?.urls ?? [];
  return urls.map((each) => `${new URL(each).hostname}:${portOf(each)}`).join(', ');
}

function portOf(url: string): number {
  return Number(new URL(url).port) || DEFAULT_PORT;
}

/** One line about servers that cannot be used, with the first sentence of an error response. */
export function whyRedisFailed(url: string, error: unknown): string {
  const { code = '', message } = error as { code?: string; message: string };
  const [sentence] = message.split(/[.,](?:\s|$)/);
  return `Cannot use Redis at ${redisAddress(url)}: ${UNREACHABLE[code] ?? sentence}`;
}

/** Redis responded with an error, or its certificate cannot be used. */
export function isRefusal(error: unknown): boolean {
  return ERROR_RESPONSE.test((error as Error).message) || isMistake(error);
}

export function isMistake(error: unknown): boolean {
  const { code, message } = error as { code?: string; message: string };
  return MISTAKES.some((mistake) => mistake.test(message) || mistake.test(code ?? ''));
}

/** The first success. If all fail, a refusal says more than a server that is away. */
export function firstOf<T>(attempts: readonly Promise<T>[]): Promise<T> {
  return Promise.any(attempts).catch(({ errors }: AggregateError) => {
    throw errors.find(isRefusal) ?? errors[0];
  });
}

/** Bun reports every failed connection as "Connection closed". This connects again, to learn why. */
export async function connectError(url: string): Promise<Error> {
  const { protocol, hostname, username, password } = new URL(url);
  const address = { host: withoutBrackets(hostname), port: portOf(url) };
  const socket = protocol === 'rediss:' ? connectTls(address) : connectSocket(address);
  const { promise, resolve } = Promise.withResolvers<Error>();
  const silent = new Error(
    'no response: rediss:// is for servers with TLS and redis:// for others',
  );
  // The time-out of the socket does not end a handshake that never begins.
  const timer = setTimeout(() => resolve(silent), CONNECT_MS);
  socket.on('error', (error: NodeJS.ErrnoException) =>
    resolve(error.code === 'ECONNRESET' ? silent : error),
  );
  socket.on('close', () => resolve(silent));
  socket.once('data', (chunk) => {
    const [, words] = /^-(.*)/.exec(chunk.toString()) ?? [];
    resolve(words === undefined ? silent : new Error(words));
  });
  // An inline command. Redis reads quoted words as JSON writes them.
  const words = [username || 'default', password].map((word) =>
    JSON.stringify(decodeURIComponent(word)),
  );
  socket.write(`HELLO 3 ${password === '' ? '' : `AUTH ${words.join(' ')}`}\r\n`);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}
