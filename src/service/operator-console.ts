import { isIP } from 'node:net';
import { version } from '../../package.json' with { type: 'json' };
import type { Config } from '../config.ts';
import { STAGING } from '../contract/environment.ts';
import { mintSecret } from '../domain/key-secret.ts';
import {
  CONSOLE_ICON,
  CONSOLE_PAGE,
  CONSOLE_SCRIPT,
  CONSOLE_STYLE,
} from '../operator/console/assets.ts';
import type { ConsoleOptions } from '../operator/console.ts';
import { consoleRoutes } from '../operator/console-api/routes.ts';
import type { Live } from '../operator/live.ts';
import { OperatorToken } from '../operator/operator-token.ts';
import { platform } from '../platform.ts';
import { explainStoreError } from '../stores/backends.ts';
import type { ServiceParts } from './service-parts.ts';
import { limiterDescription } from './start-report.ts';

const TOKEN_BYTES = 24;

interface ConsoleParts {
  readonly token: string;
  readonly live: Live;
  readonly service: Pick<ServiceParts, 'store' | 'pets' | 'limiter'>;
  readonly publicUrl: () => string;
  readonly onFault: (error: unknown) => void;
}

export function makeToken(): string {
  return Buffer.from(platform.randomBytes(TOKEN_BYTES)).toString('base64url');
}

/** Connects the console with the parts of the service. */
export function consoleOptions(config: Config, parts: ConsoleParts): ConsoleOptions {
  const { operatorHostname, operatorAllowedHosts, database, instances, isStaging, brownouts } =
    config;
  const { live, service, publicUrl, onFault } = parts;
  const { store, pets, limiter } = service;
  const token = new OperatorToken(parts.token);
  const operatorStore = store.forOperator({ command: 'console', operator: token.fingerprint });
  const names = isIP(operatorHostname) === 0 ? [operatorHostname.toLowerCase()] : [];
  return {
    token,
    allowedHosts: new Set([...names, ...operatorAllowedHosts]),
    assets: {
      page: CONSOLE_PAGE,
      script: CONSOLE_SCRIPT,
      style: CONSOLE_STYLE,
      icon: CONSOLE_ICON,
    },
    facts: {
      version,
      environment: config.isStaging ? STAGING : undefined,
      startedAtMs: platform.now(),
      store: database.description,
      limiter: limiterDescription(config),
      instances,
      publicUrl,
    },
    routes: consoleRoutes({
      live,
      pets,
      usage: limiter,
      brownouts,
      now: platform.now,
      newSecret: () => mintSecret(platform.randomBytes, isStaging),
      store: operatorStore,
    }),
    explain: explainStoreError,
    onFault,
  };
}
