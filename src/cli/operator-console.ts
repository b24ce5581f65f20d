import { isIP } from 'node:net';
import { version } from '../../package.json' with { type: 'json' };
import { BACKEND_KINDS } from '../backends.ts';
import type { Config } from '../config.ts';
import { CONSOLE_ICON, CONSOLE_PAGE, CONSOLE_SCRIPT, CONSOLE_STYLE } from '../console/assets.ts';
import type { ConsoleOptions } from '../operator/console.ts';
import { liveRoutes } from '../operator/console-live.ts';
import type { Live } from '../operator/live.ts';
import { OperatorToken } from '../operator/operator-token.ts';
import { platform } from '../platform.ts';
import { limiterDescription } from './start-report.ts';

const TOKEN_BYTES = 24;

interface ConsoleParts {
  readonly token: string;
  readonly live: Live;
  readonly publicUrl: () => string;
  readonly onFault: (error: unknown) => void;
}

export function makeToken(): string {
  return Buffer.from(platform.randomBytes(TOKEN_BYTES)).toString('base64url');
}

/** Connects the console with the parts of the service. */
export function consoleOptions(config: Config, parts: ConsoleParts): ConsoleOptions {
  const { operatorHostname, operatorAllowedHosts, database, instances } = config;
  const names = isIP(operatorHostname) === 0 ? [operatorHostname.toLowerCase()] : [];
  return {
    token: new OperatorToken(parts.token),
    allowedHosts: new Set([...names, ...operatorAllowedHosts]),
    assets: {
      page: CONSOLE_PAGE,
      script: CONSOLE_SCRIPT,
      style: CONSOLE_STYLE,
      icon: CONSOLE_ICON,
    },
    facts: {
      version,
      startedAtMs: platform.now(),
      store: database.description,
      limiter: limiterDescription(config),
      instances,
      publicUrl: parts.publicUrl,
    },
    routes: { ...liveRoutes(parts.live) },
    explain: explainStoreError,
    onFault: parts.onFault,
  };
}

function explainStoreError(error: unknown): string | undefined {
  for (const kind of BACKEND_KINDS) {
    const explanation = kind.explain(error);
    if (explanation !== undefined) return explanation;
  }
  return undefined;
}
