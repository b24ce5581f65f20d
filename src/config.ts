import { z } from 'zod';
import { API_PREFIX, GET_PET_DEPRECATION } from './contract/api.ts';
import type { BackendOptions } from './domain/backend.ts';
import { parseBrownouts } from './domain/brownout.ts';
import type { Environment } from './domain/environment.ts';
import { OperatorError } from './domain/error.ts';
import { parseRedisUrl, REDIS_URL_FORMS } from './limiters/redis/redis-url.ts';
import { DEFAULT_DATABASE_URL, databaseUrlProblem } from './stores/backends.ts';

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

const publicUrl = z
  .string()
  .refine(isPublicUrl, PUBLIC_URL_RULE)
  .transform(withoutPrefix)
  .optional();

const settings = z.object({
  HOST: host.default('127.0.0.1').describe('address of the public listener'),
  PORT: port.default(8080).describe('port of the public listener; 0 picks a free port'),
  OPERATOR_HOST: host
    .default('127.0.0.1')
    .describe('address of the operator listener, which has no TLS; keep it off public networks'),
  OPERATOR_PORT: port.default(8081).describe('port of the operator listener; 0 picks a free port'),
  // The token is sent in a header, which allows only these characters. A shorter one could be guessed.
  OPERATOR_TOKEN: z
    .string()
    .regex(
      /^[\x21-\x7e]{16,256}$/,
      'must have 16 to 256 characters, which are letters, digits or ASCII punctuation',
    )
    .optional()
    .describe(
      'the token that signs an operator in to the console; without it, each start makes a new token and prints it in a link',
    ),
  OPERATOR_ALLOWED_HOSTS: z
    .string()
    .regex(/^[\w.-]+(\s*,\s*[\w.-]+)*$/, 'must be host names, separated by commas')
    .transform((text) => text.toLowerCase().split(/\s*,\s*/))
    .default([])
    .describe(
      'host names that may be used for the console and the metrics, in addition to localhost, OPERATOR_HOST and IP addresses',
    ),
  DATABASE_URL: z
    .string()
    .superRefine((url, context) => {
      const problem = databaseUrlProblem(url);
      if (problem !== undefined) context.addIssue(problem);
    })
    .default(DEFAULT_DATABASE_URL)
    .describe(
      'the data file, which must be on a local disk, or a PostgreSQL database, such as postgres://user@host/database; several hosts are separated by commas',
    ),
  DATABASE_CONNECTIONS: integer(1, 1_000)
    .default(10)
    .describe(
      'number of connections to PostgreSQL; the service opens one more for creations and one more for reports',
    ),
  STORE_TIMEOUT_SECONDS: integer(1, 60)
    .default(5)
    .describe('how long a request may wait for the store before it gets a 503'),
  REDIS_URL: z
    .string()
    .refine((url) => parseRedisUrl(url) !== undefined, `must look like ${REDIS_URL_FORMS}`)
    .optional()
    .describe(
      `${REDIS_URL_FORMS}, with rediss for TLS; if it is set, all instances count requests together`,
    ),
  INSTANCES: integer(1, 10_000)
    .default(1)
    .describe(
      'number of instances that run at the same time; while Redis is away, each instance admits an equal share of every limit, so if this number is too low, callers can exceed their limits',
    ),
  DEMO: onOff
    .default('on')
    .describe('on creates a demo account in a new SQLite store, if HOST is a loopback address'),
  MAX_CONCURRENT_REQUESTS: integer(1, 1_000_000)
    .default(1_000)
    .describe(
      'number of API requests that may be in progress at the same time; any further request gets a 503',
    ),
  DRAIN_SECONDS: z
    .string()
    .regex(/^\d{1,3}(\.\d{1,3})?$/, 'must be a number of seconds from 0 to 999.999')
    .transform(Number)
    .default(0)
    .describe(
      'how long an instance continues to accept requests after it begins to stop; set it to the time that your load balancer needs to notice that the instance is stopping',
    ),
  PUBLIC_URL: publicUrl.describe(
    'the URL that callers use, without /v1, if it is not that of the listener; it appears in the headers Link and Location and in the OpenAPI document',
  ),
  STAGING: onOff
    .default('off')
    .describe(
      'on marks a staging deployment, where callers can test how their programs handle failures and later dates',
    ),
  STAGING_URL: publicUrl.describe(
    'the URL of your staging deployment, which the OpenAPI document lists as a server',
  ),
  BROWNOUTS: z
    .string()
    .transform((text) => parseBrownouts(text, GET_PET_DEPRECATION.removedAt.getTime()))
    .default([])
    .describe(
      'brownouts of getPet, separated by commas; each is written as start/duration, such as 2030-06-01T10:00Z/1h',
    ),
  TRUSTED_PROXIES: integer(0, 16)
    .default(0)
    .describe(
      'number of your own proxies that a request passes through; each of them must append to X-Forwarded-For',
    ),
  TLS_CERT_FILE: z
    .string()
    .optional()
    .describe(
      'PEM file with the certificate; if it is set together with TLS_KEY_FILE, the public listener uses HTTPS',
    ),
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
  /** The option that each setting comes from, if it does not come from the environment. */
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
    environment: data.STAGING === 'on' ? 'staging' : 'production',
  };
}
