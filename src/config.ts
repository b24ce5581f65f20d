import { z } from 'zod';
import { BACKEND_KINDS, backendAt } from './backends.ts';
import { API_PREFIX } from './contract/api.ts';
import type { Backend } from './domain/backend.ts';
import { OperatorError } from './domain/error.ts';
import { parseRedisUrl, REDIS_URL_FORMS } from './redis/redis-address.ts';

const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;

const PUBLIC_URL_RULE =
  'must be an http or https URL without a user, query or fragment, such as https://pets.example';

function isPublicUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return [url.username, url.password, url.search, url.hash].every((part) => part === '');
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

const publicUrl = z.string().refine(isPublicUrl, { error: PUBLIC_URL_RULE }).optional();

const settings = z.object({
  HOST: host.default('127.0.0.1'),
  PORT: port.default(8080),
  OPERATOR_HOST: host.default('127.0.0.1'),
  OPERATOR_PORT: port.default(8081),
  DATABASE_URL: z
    .string()
    .refine((url) => backendAt(url, 1) !== undefined, {
      error: `must look like ${BACKEND_KINDS.map(({ example }) => example).join(' or ')}`,
    })
    .default('sqlite:data/animal-store.db'),
  DATABASE_CONNECTIONS: integer({ from: 1, to: 1_000 }).default(10),
  REDIS_URL: z
    .string()
    .refine((url) => parseRedisUrl(url) !== undefined, {
      error: `must look like ${REDIS_URL_FORMS}`,
    })
    .optional(),
  INSTANCES: integer({ from: 1, to: 10_000 }).default(1),
  DRAIN_SECONDS: z
    .string()
    .regex(/^\d{1,3}(\.\d{1,3})?$/, { error: 'must be a number of seconds from 0 to 999.999' })
    .transform(Number)
    .default(0),
  PUBLIC_URL: publicUrl,
  STAGING_URL: publicUrl,
  TRUSTED_PROXIES: integer({ from: 0, to: 16 }).default(0),
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` })
    .default('warn'),
});

export const SETTING_NAMES: readonly string[] = Object.keys(settings.shape);

/** The checked settings. Only this file reads the environment. */
export type Config = Readonly<ReturnType<typeof readConfig>>;

/** Throws `OperatorError` with a line for each invalid setting. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env) {
  // `PORT= animal-store serve` means the default.
  const given = Object.entries(environment).filter(([, value]) => value !== '');
  const parsed = settings.safeParse(Object.fromEntries(given));
  if (!parsed.success) {
    const lines = parsed.error.issues.map(({ path, message }) => {
      const name = String(path[0]);
      // A URL may contain a password, which must not end up in a log.
      const given = name.endsWith('_URL') ? '' : `, not ${JSON.stringify(environment[name])}`;
      return `${name} ${message}${given}.`;
    });
    throw new OperatorError([...new Set(lines)].join('\n'));
  }
  const { data } = parsed;
  return {
    hostname: data.HOST,
    port: data.PORT,
    operatorHostname: data.OPERATOR_HOST,
    operatorPort: data.OPERATOR_PORT,
    database: backendAt(data.DATABASE_URL, data.DATABASE_CONNECTIONS) as Backend,
    /** Undefined when limits are counted in process. */
    redisUrl: data.REDIS_URL,
    /** How many instances share the limits while Redis is away. */
    instances: data.INSTANCES,
    /** How long a stopping service still accepts requests, so that a load balancer notices. */
    drainSeconds: data.DRAIN_SECONDS,
    publicUrl: data.PUBLIC_URL && withoutPrefix(data.PUBLIC_URL),
    /** The URL of the staging deployment. */
    stagingUrl: data.STAGING_URL && withoutPrefix(data.STAGING_URL),
    trustedProxies: data.TRUSTED_PROXIES,
    tlsFiles: tlsFiles(data.TLS_CERT_FILE, data.TLS_KEY_FILE),
    logLevel: data.LOG_LEVEL,
  };
}

/** A URL that already ends in the version prefix means the same. */
function withoutPrefix(url: string): string {
  const base = new URL(url).href.replace(/\/+$/, '');
  return base.endsWith(API_PREFIX) ? base.slice(0, -API_PREFIX.length) : base;
}

function tlsFiles(cert: string | undefined, key: string | undefined) {
  if (cert === undefined && key === undefined) return undefined;
  if (cert !== undefined && key !== undefined) return { cert, key };
  throw new OperatorError('TLS_CERT_FILE and TLS_KEY_FILE must be set together.');
}
