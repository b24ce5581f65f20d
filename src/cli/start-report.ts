import type { Config } from '#config.ts';
import { API_PREFIX, REFERENCE_PAGE } from '#contract/api.ts';
import { PROGRAM } from '#contract/description.ts';
import type { Backend } from '#domain/backend.ts';
import { brownoutJson } from '#domain/operator/operator-json.ts';
import { isLoopback, isWildcard } from '#formats/server-url.ts';
import { quoted } from '#formats/shell-text.ts';
import { whyRedisFailed } from '#limiters/redis/redis-url.ts';
import { platform } from '#platform.ts';
import { DEMO_ACCOUNT, limiterDescription, type Service } from '#service/service.ts';
import { DEFAULT_DATABASE_URL } from '#stores/backends.ts';
import { version } from '../../package.json' with { type: 'json' };

/** The report that `serve` prints once it listens, as lines or with --json. */
export function startReport(config: Config, database: Backend, service: Service) {
  const { api, operator, token, demoKey, redisError } = service;
  const { publicUrl, localUrl } = api;
  const { environment, HOST, OPERATOR_HOST, OPERATOR_TOKEN } = config;
  const base = isWildcard(OPERATOR_HOST) ? `http://localhost:${operator.port}` : operator.url;
  return {
    version,
    environment,
    /** The URL that callers use. */
    api: `${publicUrl}${API_PREFIX}`,
    reference: `${publicUrl}${REFERENCE_PAGE}`,
    /** The URL of the listener on this machine. */
    listening: localUrl,
    isOnEveryAddress: isWildcard(HOST),
    operator: operator.url,
    /** Signs in, if this start made the token. A browser sends the fragment of a URL to no server. */
    consoleUrl: OPERATOR_TOKEN === undefined ? `${base}/#token=${token}` : `${base}/`,
    data: database.description,
    limits: limiterDescription(config),
    brownouts: config.BROWNOUTS.map((brownout) => brownoutJson(brownout, platform.now())).filter(
      ({ state }) => state !== 'over',
    ),
    demoKey,
    next: nextStep(config, database, service),
    warnings: warningsFor(config, publicUrl, redisError),
  };
}

function nextStep(
  { DATABASE_URL }: Config,
  { name, description }: Backend,
  { demoKey, firstAccount }: Service,
): string | undefined {
  if (demoKey !== undefined) return undefined;
  // Without the option, the suggested command would use the default store.
  const url = name === 'sqlite' ? `sqlite:${description}` : description;
  const store = DATABASE_URL === DEFAULT_DATABASE_URL ? '' : ` --database ${quoted(url)}`;
  if (firstAccount === undefined) {
    return `There are no accounts yet. Create one: ${PROGRAM} accounts create NAME --plan free --key${store}`;
  }
  if (firstAccount !== DEMO_ACCOUNT) return undefined;
  return `Need a key? ${PROGRAM} keys create ${DEMO_ACCOUNT}${store}`;
}

export function startLines(report: ReturnType<typeof startReport>): string[] {
  const { environment, api, demoKey, next } = report;
  const lines = [
    `Animal Store ${report.version}${environment === 'production' ? '' : ` (${environment})`}`,
    `  API        ${api}`,
    `  reference  ${report.reference}`,
    `  listening  ${report.listening}${report.isOnEveryAddress ? ', on every address of this machine' : ''}`,
    `  operator   ${report.operator}`,
    `  console    ${report.consoleUrl}`,
    `  data       ${report.data}`,
    `  limits     ${report.limits}`,
    ...report.brownouts.map(
      ({ startsAt, endsAt, state }) => `  brownout   ${startsAt} to ${endsAt} (${state})`,
    ),
    ...report.warnings.map((warning) => `Warning: ${warning}`),
  ];
  if (next !== undefined) lines.push('', next);
  if (demoKey === undefined) return lines;
  return [
    ...lines,
    '',
    `First start: created the account "${DEMO_ACCOUNT}" on the Free plan.`,
    'Its API key, shown only once:',
    '',
    `  ${demoKey}`,
    '',
    'Add a pet with it:',
    '',
    `  curl -H 'Authorization: Bearer ${demoKey}' -H 'Content-Type: application/json' ` +
      `-d '{"name":"Rex","categoryId":1}' ${api}/pets`,
  ];
}

function warningsFor(config: Config, publicUrl: string, redisError: unknown): string[] {
  const { HOST, OPERATOR_HOST, TLS_CERT_FILE, TRUSTED_PROXIES, PUBLIC_URL } = config;
  const { INSTANCES, REDIS_URL } = config;
  const warnings: string[] = [];
  if (REDIS_URL !== undefined && redisError !== undefined) {
    const reason = whyRedisFailed(REDIS_URL, redisError);
    warnings.push(`${reason}. Limits are counted in process until it can be used.`);
  }
  if (INSTANCES > 1 && REDIS_URL === undefined) {
    warnings.push(
      'Without REDIS_URL, each instance counts on its own, so callers can exceed their limits.',
    );
  }
  if (!isLoopback(HOST) && TLS_CERT_FILE === undefined && TRUSTED_PROXIES === 0) {
    warnings.push(
      `API keys travel unencrypted: other machines can reach ${HOST} without TLS. ` +
        'Set TLS_CERT_FILE and TLS_KEY_FILE, or TRUSTED_PROXIES if a proxy uses TLS.',
    );
  }
  if (!isLoopback(OPERATOR_HOST)) {
    warnings.push(
      `The operator listener on ${OPERATOR_HOST} has no TLS, and its metrics need no token. ` +
        'Keep OPERATOR_HOST off networks that others can reach.',
    );
  }
  if (isWildcard(HOST) && PUBLIC_URL === undefined) {
    warnings.push(
      `Link and Location headers will use ${publicUrl}. Set PUBLIC_URL to the URL that callers use.`,
    );
  }
  return warnings;
}
