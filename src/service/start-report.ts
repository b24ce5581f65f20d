import { version } from '../../package.json' with { type: 'json' };
import { formatCount } from '../cli/printable.ts';
import type { Config } from '../config.ts';
import { API_PREFIX } from '../contract/api.ts';
import { REFERENCE_PAGE } from '../contract/page-paths.ts';
import { STAGING } from '../contract/staging.ts';
import { brownoutJson } from '../domain/operator/operator-json.ts';
import { PLANS } from '../domain/plan.ts';
import { isWildcard } from '../domain/server-url.ts';
import { shellWord } from '../domain/shell-word.ts';
import type { PublicServer } from '../http/server.ts';
import { redisAddress } from '../limiters/redis/connection.ts';
import { platform } from '../platform.ts';
import { DEMO_ACCOUNT, type FirstStep, isLoopback } from './demo-account.ts';

/** Printed by `serve` once it listens. */
export interface StartReport {
  readonly version: string;
  /** Undefined in production. */
  readonly environment: typeof STAGING | undefined;
  /** The URL that callers use. */
  readonly api: string;
  readonly reference: string;
  /** The URL of the listener on this machine. */
  readonly listening: string;
  /** The address of the listener, or a wildcard. */
  readonly host: string;
  readonly operator: string;
  /** Signs in, if this start made the token. */
  readonly consoleUrl: string;
  readonly data: string;
  /** Where requests are counted. */
  readonly limits: string;
  /** Those of BROWNOUTS that are planned or active. */
  readonly brownouts: readonly ReturnType<typeof brownoutJson>[];
  /** The key of the demo account, if this start created it. */
  readonly demoKey: string | undefined;
  /** A command that creates the first account, if there is none. */
  readonly next: string | undefined;
  readonly warnings: readonly string[];
}

interface Started {
  readonly api: PublicServer;
  readonly operator: { readonly url: string; readonly port: number };
  /** The token of the console, if this start made it. */
  readonly newToken: string | undefined;
  readonly firstStep: FirstStep;
  /** How to call the program in a shell. */
  readonly program: string;
  readonly warnings: readonly string[];
}

export function startReport(config: Config, started: Started): StartReport {
  const { operator, newToken, firstStep, warnings } = started;
  const { publicUrl, localUrl } = started.api;
  return {
    version,
    environment: config.isStaging ? STAGING : undefined,
    api: `${publicUrl}${API_PREFIX}`,
    reference: `${publicUrl}${REFERENCE_PAGE}`,
    listening: localUrl,
    host: config.hostname,
    operator: operator.url,
    consoleUrl: consoleUrl(
      isWildcard(config.operatorHostname) ? `http://localhost:${operator.port}` : operator.url,
      newToken,
    ),
    data: config.database.description,
    limits: limiterDescription(config),
    brownouts: config.brownouts
      .map((brownout) => brownoutJson(brownout, platform.now()))
      .filter(({ state }) => state !== 'over'),
    demoKey: firstStep.demoKey,
    next: firstStep.needsAccount ? createAccount(config, started.program) : undefined,
    warnings: [...warnings, ...warningsFor(config, publicUrl)],
  };
}

/** A command to paste that runs the same program on the same store. */
function createAccount({ databaseOption }: Config, program: string): string {
  const store = databaseOption === undefined ? '' : ` --database ${shellWord(databaseOption)}`;
  return `${program} accounts create shop --plan free${store}`;
}

/** Where requests are counted. */
export function limiterDescription({ redisUrl }: Config): string {
  return redisUrl === undefined ? 'in process' : `Redis at ${redisAddress(redisUrl)}`;
}

/** A browser does not send the fragment, so the token stays out of logs. */
function consoleUrl(listener: string, newToken: string | undefined): string {
  return newToken === undefined ? `${listener}/` : `${listener}/#token=${newToken}`;
}

export function startLines(report: StartReport): string[] {
  const { version, api, reference, operator, consoleUrl, data, demoKey, next, warnings } = report;
  const { environment } = report;
  const lines = [
    `Animal Store ${version}${environment === undefined ? '' : ` (${environment})`}`,
    `  API        ${api}`,
    `  reference  ${reference}`,
    ...listeningLines(report),
    `  operator   ${operator}`,
    `  console    ${consoleUrl}`,
    `  data       ${data}`,
    `  limits     ${report.limits}`,
    ...report.brownouts.map(
      ({ startsAt, endsAt, state }) => `  brownout   ${startsAt} to ${endsAt} (${state})`,
    ),
    ...warnings.map((warning) => `Warning: ${warning}`),
  ];
  if (next !== undefined) lines.push('', 'There are no accounts yet. Create one:', '', `  ${next}`);
  if (demoKey === undefined) return lines;
  const { title, limits } = PLANS.free;
  return [
    ...lines,
    '',
    `First start: created the account "${DEMO_ACCOUNT}" on the ${title} plan ` +
      `(${formatCount(limits.perMinute)} requests per minute, ${formatCount(limits.perDay)} per day).`,
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

/** Needed where the URL of the API does not say on which address the service listens. */
function listeningLines({ api, listening, host }: StartReport): string[] {
  if (isWildcard(host)) {
    return [`  listening  port ${portOf(listening)} on every address of this machine`];
  }
  return api.startsWith(listening) ? [] : [`  listening  ${listening}`];
}

function portOf(url: string): string {
  const { port, protocol } = new URL(url);
  return port || (protocol === 'https:' ? '443' : '80');
}

function warningsFor(config: Config, publicUrl: string): string[] {
  const { hostname, operatorHostname, tlsFiles, trustedProxies } = config;
  const warnings: string[] = [];
  if (!isLoopback(hostname) && tlsFiles === undefined && trustedProxies === 0) {
    warnings.push(
      `API keys travel unencrypted: other machines can reach ${hostname} without TLS. ` +
        'Set TLS_CERT_FILE and TLS_KEY_FILE, or TRUSTED_PROXIES if a proxy in front uses TLS.',
    );
  }
  if (!isLoopback(operatorHostname)) {
    warnings.push(
      `The operator listener on ${operatorHostname} has no TLS, and its metrics need no token. ` +
        'Keep OPERATOR_HOST off networks that others can reach.',
    );
  }
  if (isWildcard(hostname) && config.publicUrl === undefined) {
    warnings.push(
      `Link and Location headers will use ${publicUrl}. Set PUBLIC_URL to the URL that callers use.`,
    );
  }
  return warnings;
}
