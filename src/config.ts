import { z } from 'zod';
import { API_PREFIX, GET_PET_DEPRECATION } from './contract/api.ts';
import type { Backend } from './domain/backend.ts';
import { type Brownout, parseBrownouts } from './domain/brownout.ts';
import { OperatorError } from './domain/error.ts';
import { parseRedisUrl, REDIS_URL_FORMS } from './limiters/redis/redis-address.ts';
import { platform } from './platform.ts';
import { BACKEND_KINDS, backendAt } from './stores/backends.ts';

const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
const LOG_FORMATS = ['pretty', 'json'] as const;

const SWITCH = ['on', 'off'] as const;

const PUBLIC_URL_RULE =
  'must be an http or https URL without a user, query or fragment, such as https://pets.example';

function isPublicUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return [url.username, url.password, url.search, url.hash].every((part) => part === '');
}

function isDatabaseUrl(text: string): boolean {
  const options = { connections: 1, timeoutMs: 0, setting: '', now: platform.now };
  return backendAt(text, options) !== undefined;
}

function integer(rule: { from: number; to: number }) {
  const error = `must be an integer from ${rule.from} to ${rule.to}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, { error })
    .transform(Number)
    .refine((value) => value >= rule.from && value <= rule.to, { error });
}

const port = integer({ from: 0, to: 65_535 });
const host = z.string().regex(/^[\w.:-]+$/, { error: 'must be a host name or an IP address' });

const hosts = z
  .string()
  .regex(/^[\w.-]+(\s*,\s*[\w.-]+)*$/, { error: 'must be host names, separated by commas' })
  .transform((text) => text.toLowerCase().split(/\s*,\s*/));

/** It is sent in a header, and a shorter one could be guessed. */
const token = z.string().regex(/^[\x21-\x7e]{16,256}$/, {
  error: 'must have 16 to 256 characters, which are letters, digits or ASCII punctuation',
});

const publicUrl = z.string().refine(isPublicUrl, { error: PUBLIC_URL_RULE }).optional();

const settings = z.object({
  HOST: host.default('127.0.0.1').describe('address of the public listener'),
  PORT: port.default(8080).describe('port of the public listener; 0 picks a free port'),
  OPERATOR_HOST: host
    .default('127.0.0.1')
    .describe('address of the operator listener, which has no TLS; keep it off public networks'),
  OPERATOR_PORT: port.default(8081).describe('port of the operator listener; 0 picks a free port'),
  OPERATOR_TOKEN: token
    .optional()
    .describe('signs in to the console; without it, each start makes one and prints it in a link'),
  OPERATOR_ALLOWED_HOSTS: hosts
    .optional()
    .describe(
      'host names under which a browser may open the console, in addition to localhost, OPERATOR_HOST and IP addresses',
    ),
  DATABASE_URL: z
    .string()
    .refine((url) => isDatabaseUrl(url), {
      error: `must look like ${BACKEND_KINDS.map(({ example }) => example).join(' or ')}`,
    })
    .default('sqlite:data/animal-store.db')
    .describe('the data file, on a local disk, or postgres://user@host/database'),
  DATABASE_CONNECTIONS: integer({ from: 1, to: 1_000 })
    .default(10)
    .describe('connections to PostgreSQL, plus one for creations and one for reports'),
  STORE_TIMEOUT_SECONDS: integer({ from: 1, to: 60 })
    .default(5)
    .describe('how long a request may wait for the store; then it gets a 503'),
  REDIS_URL: z
    .string()
    .refine((url) => parseRedisUrl(url) !== undefined, {
      error: `must look like ${REDIS_URL_FORMS}`,
    })
    .optional()
    .describe(
      `${REDIS_URL_FORMS}, with rediss for TLS; all instances then count requests together`,
    ),
  INSTANCES: integer({ from: 1, to: 10_000 })
    .default(1)
    .describe(
      'instances that share the limits while Redis is away; if more run, a pause of Redis adds quota',
    ),
  DEMO: z
    .enum(SWITCH, { error: `must be ${SWITCH.join(' or ')}` })
    .default('on')
    .describe('on creates a demo account in a new SQLite store, if HOST is a loopback address'),
  MAX_CONCURRENT_REQUESTS: integer({ from: 1, to: 1_000_000 })
    .default(1_000)
    .describe('requests to the API that may be in progress at once; further ones get a 503'),
  DRAIN_SECONDS: z
    .string()
    .regex(/^\d{1,3}(\.\d{1,3})?$/, { error: 'must be a number of seconds from 0 to 999.999' })
    .transform(Number)
    .default(0)
    .describe(
      'how long a stopping instance still accepts requests; set it to the time your load balancer needs to notice',
    ),
  PUBLIC_URL: publicUrl.describe(
    'URL that callers use, without /v1, if it is not that of the listener; appears in Link, Location and the OpenAPI document',
  ),
  STAGING: z
    .enum(SWITCH, { error: `must be ${SWITCH.join(' or ')}` })
    .default('off')
    .describe('on marks a staging deployment, where callers rehearse failures and later dates'),
  STAGING_URL: publicUrl.describe('URL of your staging deployment, for the OpenAPI document'),
  BROWNOUTS: z
    .string()
    .optional()
    .describe(
      'brownouts of getPet, each as start/duration such as 2030-06-01T10:00Z/1h; a comma between two',
    ),
  TRUSTED_PROXIES: integer({ from: 0, to: 16 })
    .default(0)
    .describe(
      'number of your own proxies that a request passes; each must append to X-Forwarded-For',
    ),
  TLS_CERT_FILE: z
    .string()
    .optional()
    .describe('PEM file with the certificate; with TLS_KEY_FILE, the public listener uses HTTPS'),
  TLS_KEY_FILE: z.string().optional().describe('PEM file with the private key'),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` })
    .default('warn')
    .describe('silent, error, warn, info (one line for each request) or debug'),
  LOG_FORMAT: z
    .enum(LOG_FORMATS, { error: `must be ${LOG_FORMATS.join(' or ')}` })
    .optional()
    .describe('pretty (for a person) or json; without it, pretty if standard error is a terminal'),
});

type SettingName = keyof typeof settings.shape;

/** A setting, for the help and the manual. */
interface Setting {
  readonly name: string;
  readonly meaning: string;
  /** "none" if the setting has no default. */
  readonly defaultValue: string;
}

export const SETTINGS: readonly Setting[] = Object.entries(settings.shape).map(
  ([name, schema]) => ({
    name,
    meaning: schema.description ?? '',
    defaultValue: String(schema.safeParse(undefined).data ?? 'none'),
  }),
);

/** Settings that are also options of the command line, which win over the environment. */
const OPTIONS = { host: 'HOST', port: 'PORT', database: 'DATABASE_URL' } as const;

export type OptionValues = { readonly [Option in keyof typeof OPTIONS]?: string | undefined };

type Environment = Readonly<Record<string, string | undefined>>;

/** The checked settings. */
export type Config = Readonly<ReturnType<typeof readConfig>>;

/** Throws `OperatorError` with a line for each invalid setting. */
export function readConfig(options: OptionValues, environment: Environment) {
  const given = givenSettings(options, environment);
  const parsed = settings.safeParse(
    Object.fromEntries([...given].map(([name, { text }]) => [name, text])),
  );
  if (!parsed.success) {
    const lines = parsed.error.issues.map(({ path, message }) => {
      const name = String(path[0]);
      const { source = name, text } = given.get(name) ?? {};
      // A URL may contain a password, which must not end up in a log.
      const shown = /_(URL|TOKEN)$/.test(name) ? '' : `, not ${JSON.stringify(text)}`;
      return `${source} ${message}${shown}.`;
    });
    throw new OperatorError([...new Set(lines)].join('\n'));
  }
  const { data } = parsed;
  const sourceOf = (name: SettingName): string => given.get(name)?.source ?? name;
  const database = backendAt(data.DATABASE_URL, {
    connections: data.DATABASE_CONNECTIONS,
    timeoutMs: data.STORE_TIMEOUT_SECONDS * 1000,
    setting: sourceOf('DATABASE_URL'),
    now: platform.now,
  }) as Backend;
  return {
    hostname: data.HOST,
    port: data.PORT,
    operatorHostname: data.OPERATOR_HOST,
    operatorPort: data.OPERATOR_PORT,
    /** Undefined if each start makes a new one. */
    operatorToken: data.OPERATOR_TOKEN,
    /** In lower case. */
    operatorAllowedHosts: data.OPERATOR_ALLOWED_HOSTS ?? [],
    database,
    /** The value of `--database` with which another command opens the same store. */
    databaseOption: databaseOption(database, given.get('DATABASE_URL')),
    /** Undefined when limits are counted in process. */
    redisUrl: data.REDIS_URL,
    /** Connections to PostgreSQL. */
    databaseConnections: data.DATABASE_CONNECTIONS,
    /** Requests to the API that may be in progress at once. */
    maxRequests: data.MAX_CONCURRENT_REQUESTS,
    /** How many instances share the limits while Redis is away. */
    instances: data.INSTANCES,
    /** A new store may get a demo account. */
    isDemoAllowed: data.DEMO === 'on',
    /** How long a stopping service still accepts requests, so that a load balancer notices. */
    drainSeconds: data.DRAIN_SECONDS,
    publicUrl: data.PUBLIC_URL && withoutPrefix(data.PUBLIC_URL),
    /** This is a staging deployment. */
    isStaging: data.STAGING === 'on',
    /** The URL of the staging deployment. */
    stagingUrl: data.STAGING_URL && withoutPrefix(data.STAGING_URL),
    /** In the order of their start. */
    brownouts: brownoutsOf(data.BROWNOUTS),
    trustedProxies: data.TRUSTED_PROXIES,
    tlsFiles: tlsFiles(data.TLS_CERT_FILE, data.TLS_KEY_FILE),
    logLevel: data.LOG_LEVEL,
    /** Undefined if it depends on the terminal. */
    logFormat: data.LOG_FORMAT,
    /** The option or the variable that gave a setting. */
    sourceOf,
  };
}

interface Given {
  readonly text: string;
  /** The option or the variable. */
  readonly source: string;
}

function givenSettings(
  options: OptionValues,
  environment: Environment,
): ReadonlyMap<string, Given> {
  const given = new Map<string, Given>();
  for (const { name } of SETTINGS) {
    const text = environment[name];
    // `PORT= animal-store serve` means the default.
    if (text !== undefined && text !== '') given.set(name, { text, source: name });
  }
  for (const [option, name] of Object.entries(OPTIONS)) {
    const text = options[option as keyof OptionValues];
    if (text !== undefined) given.set(name, { text, source: `--${option}` });
  }
  return given;
}

/** Undefined where it is not needed, or where a password from the environment is. */
function databaseOption({ url }: Backend, given: Given | undefined): string | undefined {
  if (given === undefined) return undefined;
  const hasPassword = (URL.parse(given.text)?.password ?? '') !== '';
  return hasPassword && given.source === 'DATABASE_URL' ? undefined : url;
}

/** A URL that already ends in the version prefix means the same. */
function withoutPrefix(url: string): string {
  const base = new URL(url).href.replace(/\/+$/, '');
  return base.endsWith(API_PREFIX) ? base.slice(0, -API_PREFIX.length) : base;
}

function brownoutsOf(setting: string | undefined): readonly Brownout[] {
  if (setting === undefined) return [];
  return parseBrownouts(setting, GET_PET_DEPRECATION.removedAt.getTime());
}

function tlsFiles(cert: string | undefined, key: string | undefined) {
  if (cert === undefined && key === undefined) return undefined;
  if (cert !== undefined && key !== undefined) return { cert, key };
  throw new OperatorError('TLS_CERT_FILE and TLS_KEY_FILE must be set together.');
}
