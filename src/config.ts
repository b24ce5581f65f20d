import { z } from 'zod';
import { API_PREFIX, GET_PET_DEPRECATION } from './contract/api.ts';
import type { BackendOptions } from './domain/backend.ts';
import { parseBrownouts } from './domain/brownout.ts';
import type { Environment } from './domain/environment.ts';
import { OperatorError } from './domain/error.ts';
import { parseRedisUrl, REDIS_URL_FORMS } from './limiters/redis/redis-url.ts';
import { DATABASE_URLS, DEFAULT_DATABASE_URL, isDatabaseUrl } from './stores/backends.ts';

const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;

export const PUBLIC_URL_RULE =
  'must be an http or https URL without a user, query or fragment, such as https://pets.example';

export function isPublicUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return url.href === url.origin + url.pathname;
}

/** Accepts a URL that already ends with the prefix of the version, and removes the prefix. */
function withoutPrefix(url: string): string {
  const base = new URL(url).href.replace(/\/+$/, '');
  return base.endsWith(API_PREFIX) ? base.slice(0, -API_PREFIX.length) : base;
}

function integer(from: number, to: number) {
  const error = `must be an integer from ${from} to ${to}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .refine((value) => value >= from && value <= to, error);
}

const onOff = z.enum(['on', 'off'], 'must be on or off');

const port = integer(0, 65_535);
const host = z.string().regex(/^[\w.:-]+$/, 'must be a host name or an IP address');

const hosts = z
  .string()
  .regex(/^[\w.-]+(\s*,\s*[\w.-]+)*$/, 'must be host names, separated by commas')
  .transform((text) => text.toLowerCase().split(/\s*,\s*/))
  .default([]);

/** The token is sent in a header, which allows only these characters. A shorter one could be guessed. */
const token = z
  .string()
  .regex(
    /^[\x21-\x7e]{16,256}$/,
    'must have 16 to 256 characters, which are letters, digits or ASCII punctuation',
  );

const publicUrl = z
  .string()
  .refine(isPublicUrl, PUBLIC_URL_RULE)
  .transform(withoutPrefix)
  .optional();

const brownouts = z
  .string()
  .transform((text) => parseBrownouts(text, GET_PET_DEPRECATION.removedAt.getTime()))
  .default([]);

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
  OPERATOR_ALLOWED_HOSTS: hosts.describe(
    'host names that may be used for the console and the metrics, in addition to localhost, OPERATOR_HOST and IP addresses',
  ),
  DATABASE_URL: z
    .string()
    .refine(isDatabaseUrl, `must look like ${DATABASE_URLS}`)
    .default(DEFAULT_DATABASE_URL)
    .describe('the data file, on a local disk, or postgres://user@host/database'),
  DATABASE_CONNECTIONS: integer(1, 1_000)
    .default(10)
    .describe('connections to PostgreSQL, plus one for creations and one for reports'),
  STORE_TIMEOUT_SECONDS: integer(1, 60)
    .default(5)
    .describe('how long a request may wait for the store; then it gets a 503'),
  REDIS_URL: z
    .string()
    .refine((url) => parseRedisUrl(url) !== undefined, `must look like ${REDIS_URL_FORMS}`)
    .optional()
    .describe(
      `${REDIS_URL_FORMS}, with rediss for TLS; all instances then count requests together`,
    ),
  INSTANCES: integer(1, 10_000)
    .default(1)
    .describe(
      'number of instances that run; while Redis is away, each has an equal share of the limits, so too low a number admits too many requests',
    ),
  DEMO: onOff
    .default('on')
    .describe('on creates a demo account in a new SQLite store, if HOST is a loopback address'),
  MAX_CONCURRENT_REQUESTS: integer(1, 1_000_000)
    .default(1_000)
    .describe('requests to the API that may be in progress at once; further ones get a 503'),
  DRAIN_SECONDS: z
    .string()
    .regex(/^\d{1,3}(\.\d{1,3})?$/, 'must be a number of seconds from 0 to 999.999')
    .transform(Number)
    .default(0)
    .describe(
      'how long a stopping instance still accepts requests; set it to the time your load balancer needs to notice',
    ),
  PUBLIC_URL: publicUrl.describe(
    'URL that callers use, without /v1, if it is not that of the listener; appears in Link, Location and the OpenAPI document',
  ),
  STAGING: onOff
    .default('off')
    .describe('on marks a staging deployment, where callers rehearse failures and later dates'),
  STAGING_URL: publicUrl.describe('URL of your staging deployment, for the OpenAPI document'),
  BROWNOUTS: brownouts.describe(
    'brownouts of getPet, separated by commas, each as start/duration such as 2030-06-01T10:00Z/1h',
  ),
  TRUSTED_PROXIES: integer(0, 16)
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
    .enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`)
    .default('warn')
    .describe('silent, error, warn, info (one line for each request) or debug'),
});

/** All settings, for the help and the manual. */
export const SETTINGS = Object.entries(settings.shape).map(([name, schema]) => ({
  name,
  meaning: schema.description ?? '',
  defaultValue: String(schema.safeParse(undefined).data ?? '') || 'none',
}));

/** Settings that are also options of the command line. An option overrides the environment. */
const OPTIONS = { host: 'HOST', port: 'PORT', database: 'DATABASE_URL' } as const;

export type OptionValues = { readonly [Option in keyof typeof OPTIONS]?: string | undefined };

/** The checked settings by their names, and the values that follow from them. */
export interface Config extends Readonly<z.infer<typeof settings>> {
  readonly environment: Environment;
  readonly database: Pick<BackendOptions, 'url' | 'connections' | 'timeoutMs' | 'setting'>;
}

/** Reads and checks all settings. Throws `OperatorError` with a line for each invalid one. */
export function readConfig(
  options: OptionValues,
  variables: Readonly<Record<string, string | undefined>>,
): Config {
  // An empty variable, as in `PORT= animal-store serve`, selects the default.
  const given = new Map(Object.entries(variables).filter(([, text]) => text !== ''));
  /** Where a setting comes from, if not from the environment. */
  const sources = new Map<string, string>();
  for (const [option, name] of Object.entries(OPTIONS)) {
    const text = options[option as keyof OptionValues];
    if (text === undefined) continue;
    given.set(name, text);
    sources.set(name, `--${option}`);
  }
  const { success, data, error } = settings.safeParse(Object.fromEntries(given));
  if (!success) {
    const lines = error.issues.map(({ path, message }) => {
      const name = String(path[0]);
      // A URL may contain a password, which must not end up in a log.
      const shown = /_(URL|TOKEN)$/.test(name) ? '' : `, not ${JSON.stringify(given.get(name))}`;
      return `${sources.get(name) ?? name} ${message}${shown}.`;
    });
    throw new OperatorError(lines.join('\n'));
  }
  const environment: Environment = data.STAGING === 'on' ? 'staging' : 'production';
  if ((data.TLS_CERT_FILE === undefined) !== (data.TLS_KEY_FILE === undefined)) {
    throw new OperatorError('TLS_CERT_FILE and TLS_KEY_FILE must be set together.');
  }
  return {
    ...data,
    database: {
      url: data.DATABASE_URL,
      connections: data.DATABASE_CONNECTIONS,
      timeoutMs: data.STORE_TIMEOUT_SECONDS * 1000,
      setting: sources.get('DATABASE_URL') ?? 'DATABASE_URL',
    },
    environment,
  };
}
