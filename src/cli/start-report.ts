import { version } from '../../package.json' with { type: 'json' };
import type { Config } from '../config.ts';
import { API_PREFIX } from '../contract/api.ts';
import { REFERENCE_PAGE } from '../contract/page-paths.ts';
import { PLANS } from '../domain/plan.ts';
import { isWildcard, type PublicServer } from '../http/server.ts';
import { DEMO_ACCOUNT } from './demo-account.ts';
import { formatCount } from './output.ts';

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** Printed by `serve` once it listens. */
export interface StartReport {
  readonly version: string;
  /** The URL that callers use. */
  readonly api: string;
  readonly reference: string;
  /** The URL of the listener. */
  readonly listening: string;
  readonly operator: string;
  readonly data: string;
  /** The key of the demo account, on the first start with an embedded store. */
  readonly demoKey: string | undefined;
  /** The first step on a shared store, which gets no demo account. */
  readonly hint: string | undefined;
  readonly warnings: readonly string[];
}

export function startReport(
  config: Config,
  { publicUrl, localUrl }: PublicServer,
  operatorUrl: string,
  first: { readonly demoKey?: string | undefined; readonly needsAccount: boolean },
): StartReport {
  return {
    version,
    api: `${publicUrl}${API_PREFIX}`,
    reference: `${publicUrl}${REFERENCE_PAGE}`,
    listening: localUrl,
    operator: operatorUrl,
    data: config.database.description,
    demoKey: first.demoKey,
    hint: first.needsAccount
      ? 'No accounts yet. Create one: animal-store accounts create NAME --plan free'
      : undefined,
    warnings: warningsFor(config, publicUrl),
  };
}

export function startLines(report: StartReport): string[] {
  const { version, api, reference, operator, data, demoKey, hint, warnings } = report;
  const lines = [
    `Animal Store ${version}`,
    `  API        ${api}`,
    `  reference  ${reference}`,
    `  operator   ${operator}`,
    `  data       ${data}`,
    ...warnings.map((warning) => `Warning: ${warning}`),
  ];
  if (hint !== undefined) lines.push(hint);
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

function warningsFor(config: Config, publicUrl: string): string[] {
  const { hostname, operatorHostname, tlsFiles, trustedProxies } = config;
  const warnings: string[] = [];
  if (!LOOPBACK.test(hostname) && tlsFiles === undefined && trustedProxies === 0) {
    warnings.push(
      `API keys travel unencrypted: other machines can reach ${hostname} without TLS. ` +
        'Set TLS_CERT_FILE and TLS_KEY_FILE, or TRUSTED_PROXIES if a proxy in front uses TLS.',
    );
  }
  if (!LOOPBACK.test(operatorHostname)) {
    warnings.push(
      `The operator listener on ${operatorHostname} requires no key. ` +
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
