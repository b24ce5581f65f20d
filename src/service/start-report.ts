import { version } from '../../package.json' with { type: 'json' };
import { formatCount } from '../cli/printable.ts';
import type { Config } from '../config.ts';
import { API_PREFIX, REFERENCE_PAGE } from '../contract/api.ts';
import { STAGING } from '../contract/environment.ts';
import type { Store } from '../domain/backend.ts';
import { mintSecret } from '../domain/key-secret.ts';
import type { AccountStore } from '../domain/operator/account-store.ts';
import type { Origin } from '../domain/operator/audit.ts';
import { brownoutJson } from '../domain/operator/operator-json.ts';
import { PLANS } from '../domain/plan.ts';
import { isWildcard } from '../domain/server-url.ts';
import { shellWord } from '../domain/shell-word.ts';
import type { PublicServer } from '../http/server.ts';
import { redisAddress } from '../limiters/redis/connection.ts';
import { platform } from '../platform.ts';

const DEMO_ACCOUNT = 'demo';

export type StartReport = ReturnType<typeof startReport>;

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

/** Printed by `serve` once it listens. */
export function startReport(config: Config, started: Started) {
  const { operator, newToken, firstStep, warnings } = started;
  const { publicUrl, localUrl } = started.api;
  return {
    version,
    /** Undefined in production. */
    environment: config.isStaging ? STAGING : undefined,
    /** The URL that callers use. */
    api: `${publicUrl}${API_PREFIX}`,
    reference: `${publicUrl}${REFERENCE_PAGE}`,
    /** The URL of the listener on this machine. */
    listening: localUrl,
    /** The address of the listener, or a wildcard. */
    host: config.hostname,
    operator: operator.url,
    /** Signs in, if this start made the token. */
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

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** The first step after a start. */
interface FirstStep {
  /** The secret of the demo account's key, if this start created it. */
  readonly demoKey?: string | undefined;
  /** No account exists, so nobody can use the API yet. */
  readonly needsAccount: boolean;
}

/**
 * Creates an account to try things with, in a new store on this machine that only this machine can
 * reach. Elsewhere its key would end up in a journal, or would be forgotten.
 */
export async function takeFirstStep(
  config: Config,
  store: Store,
  origin: Origin,
): Promise<FirstStep> {
  if (await store.accounts.hasAccounts()) return { needsAccount: false };
  const { isDemoAllowed, database, hostname, isStaging } = config;
  const mayCreate = isDemoAllowed && database.isEmbedded && isLoopback(hostname);
  if (!mayCreate || !(await hasNoPets(store))) return { needsAccount: true };
  return {
    demoKey: await createDemoAccount(store.forOperator(origin).accounts, isStaging),
    needsAccount: false,
  };
}

function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

async function hasNoPets({ pets }: Store): Promise<boolean> {
  return (await pets.listPets({ limit: 1 })).length === 0;
}

async function createDemoAccount(accounts: AccountStore, isStaging: boolean): Promise<string> {
  const secret = mintSecret(platform.randomBytes, isStaging);
  await accounts.createAccount({
    name: DEMO_ACCOUNT,
    plan: 'free',
    limits: PLANS.free.limits,
    nowMs: platform.now(),
    firstKey: { label: 'first start', secret, expiresAtMs: null },
  });
  return secret;
}
