import { connect as connectSocket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { isServerUrl, UNREACHABLE, withoutBrackets } from '#formats/server-url.ts';

/** The parts of REDIS_URL. */
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
const DEFAULT_PORT = 6_379;
const SENTINEL_PORT = 26_379;

const CONNECT_MS = 2_000;
const CLOSED = 'Connection closed';

/** Errors of Redis that only the operator can correct, and what they mean. */
const MISTAKES: readonly [words: RegExp, meaning: string][] = [
  [/\bWRONGPASS\b/, 'Redis refused the user or the password of REDIS_URL'],
  [/\bNOAUTH\b/, 'Redis requires a password, and REDIS_URL has none'],
  [/without any password configured/, 'REDIS_URL has a password, and Redis has none'],
  [/\bNOPERM\b/, 'The user of REDIS_URL may not run the script of the limiter'],
  [/DB index is out of range/, 'Redis does not have the database of REDIS_URL'],
  [/cluster support disabled/, 'Redis is not a node of a cluster: use redis://'],
  [/No such master/, 'The Sentinels do not know the master of REDIS_URL'],
  [/unknown command '?SENTINEL/, 'The hosts of REDIS_URL are not Sentinels'],
  [
    /SELF_SIGNED_CERT|UNABLE_TO_(VERIFY|GET_ISSUER)|CERT_UNTRUSTED/,
    'The certificate of Redis is not trusted: if your own authority signed it, set ' +
      'NODE_EXTRA_CA_CERTS to the file with the certificate of that authority',
  ],
  [/ERR_TLS_CERT_ALTNAME/, 'The certificate of Redis is for another host'],
  [/\bDENIED\b/, 'Redis accepts connections only from its own machine (protected mode)'],
];

/** Every error response of Redis begins with a code, such as READONLY or LOADING. */
const ERROR_RESPONSE = /^[A-Z]+ /;

/** Returns undefined if the text is not an address of Redis. */
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
  const login = isSentinel ? sentinelUser : user;
  const urls = hosts.split(',').map((host) => `${scheme}://${login}${host}`);
  const urlOf = (host: string, port: number) =>
    `${scheme}://${user}${host.includes(':') ? `[${host}]` : host}:${port}/${database}`;
  if (![...urls, urlOf('host', 1)].every((url) => isServerUrl(url, SINGLE))) return undefined;
  return isSentinel
    ? { kind, urls: urls.map(withSentinelPort), masterName: path, urlOf }
    : { kind: 'cluster', urls, masterName: '', urlOf };
}

function withSentinelPort(url: string): string {
  return new URL(url).port === '' ? `${url}:${SENTINEL_PORT}` : url;
}

/** The hosts and ports of a URL, without the password. */
export function redisAddress(url: string): string {
  const urls = parseRedisUrl(url)?.urls ?? [];
  return urls.map((each) => `${new URL(each).hostname}:${portOf(each)}`).join(', ');
}

function portOf(url: string): number {
  return Number(new URL(url).port) || DEFAULT_PORT;
}

/** Explains to the operator, in one line, why Redis cannot be used. */
export function whyRedisFailed(url: string, error: unknown): string {
  const { code = '', message } = error as { code?: string; message: string };
  return `Cannot use Redis at ${redisAddress(url)}: ${UNREACHABLE[code] ?? message}`;
}

/** An error response of Redis, or a certificate that cannot be used. */
export class RedisRefusal extends Error {
  override readonly name = 'RedisRefusal';

  constructor(
    message: string,
    /** Only the operator can correct it. */
    readonly isMistake: boolean,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** Explains an error response of Redis. Returns any other error unchanged. */
export function explained(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof RedisRefusal) return error;
  const { code = '' } = error as { code?: string };
  const [firstWords] = error.message.split(/[.,](?:\s|$)/);
  const [, meaning] = MISTAKES.find(([words]) => words.test(`${code} ${error.message}`)) ?? [];
  if (meaning !== undefined) return new RedisRefusal(`${meaning} (${firstWords})`, true, error);
  if (!ERROR_RESPONSE.test(error.message)) return error;
  return new RedisRefusal(`Redis refused: ${firstWords}`, false, error);
}

/** Chooses the error to report when several servers failed: one that says what to correct, if there is one. */
export function mostTelling(errors: readonly unknown[]): unknown {
  return errors.find((error) => error instanceof RedisRefusal) ?? errors[0];
}

/** Connects once more to learn why a connection failed, because Bun always says "Connection closed". */
export async function connectError(url: string): Promise<Error> {
  const { protocol, hostname } = new URL(url);
  const address = { host: withoutBrackets(hostname), port: portOf(url) };
  const isTls = protocol === 'rediss:';
  const { promise, resolve } = Promise.withResolvers<Error>();
  const socket = isTls ? connectTls(address) : connectSocket(address);
  const closed = new Error(
    isTls ? CLOSED : 'the server closed the connection. If it uses TLS, write rediss://',
  );
  socket.on('error', (error) => {
    const isReset = (error as { code?: string }).code === 'ECONNRESET';
    resolve(isReset && !isTls ? closed : error);
  });
  socket.on('close', () => resolve(closed));
  socket.once('data', (chunk) => {
    const [line = ''] = chunk.toString().split('\r\n');
    resolve(new Error(line.startsWith('-') ? line.slice(1) : CLOSED));
  });
  // The timeout of the socket itself does not end a handshake that never begins.
  const timer = setTimeout(() => {
    const late = 'no response. If the server does not use TLS, write redis://';
    resolve(new Error(isTls ? late : UNREACHABLE['ETIMEDOUT']));
  }, CONNECT_MS);
  socket.write(hello(url));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

/** A greeting as an inline command, whose quoted words have the same escapes as JSON strings. */
function hello(url: string): string {
  const { username, password } = new URL(url);
  const words = [username || 'default', password].map((word) =>
    JSON.stringify(decodeURIComponent(word)),
  );
  return `HELLO 3 ${password === '' ? '' : `AUTH ${words.join(' ')}`}\r\n`;
}
