import { isPublicUrl, PUBLIC_URL_RULE } from '#config.ts';
import { OperatorError } from '#domain/error.ts';
import { platform } from '#platform.ts';
import { KEY_NAMES, type KeyName, variableOf } from '../../packages/conformance/src/http.ts';
import { type Report, reportLines, runConformance } from '../../packages/conformance/src/run.ts';
import { CannotRun } from '../../packages/conformance/src/session.ts';
import type { Cli, CliCommand } from './cli.ts';
import { ENTERPRISE_LIMITS } from './staging.ts';

const TIMEOUT_MS = 10_000;

interface ConformanceOptions {
  readonly wait: boolean;
  readonly other?: string;
  readonly exactUrl?: boolean;
}

const HELP = `
Reads an API key from ANIMAL_STORE_API_KEY, and a Free plan key of another
account, to exceed its limit, from ANIMAL_STORE_API_KEY_FREE. With a read-only
key in ANIMAL_STORE_API_KEY_READ, it checks that this key cannot add a pet.
Adds about a hundred pets named conformance-check, which stay. Sends at most
400 requests with a key, and keeps to its limits.

On staging it moves test clocks instead of waiting. With the keys of
"animal-store staging keys", it also checks days, bans, the removal of getPet
and every plan.

Exit code: 0 if nothing failed, 1 if a check failed, 2 if the run could not
finish.`;

export function define(command: CliCommand, cli: Cli): void {
  command
    .description('check a deployment against the API contract')
    .argument('<url>', 'base address; /v1 is added if it has no path')
    .option('--other <url>', 'base address of staging, if <url> is production, or vice versa')
    .option('--exact-url', 'add no /v1 to an address, which need not end in it')
    .option('--no-wait', 'skip checks that have to wait for a limit')
    .addHelpText('after', HELP)
    .action(async (url: string, options: ConformanceOptions) => {
      // The code for a run that could not finish, until there is a result.
      cli.exitCode = 2;
      const report = await check(cli, url, options);
      if (report.failed > 0) cli.exitCode = 1;
      else if (report.stopped === undefined) cli.exitCode = 0;
      await cli.print(report, reportLines(report));
    });
}

async function check(cli: Cli, url: string, options: ConformanceOptions): Promise<Report> {
  const { exactUrl = false, other } = options;
  const baseUrl = parseBaseUrl(url, exactUrl);
  const otherUrl = other === undefined ? undefined : parseBaseUrl(other, exactUrl);
  const { key, ...others } = keysOf(cli);
  if (key === undefined) {
    throw new OperatorError('Set ANIMAL_STORE_API_KEY to an API key of the deployment.');
  }
  const wait = (seconds: number) => {
    cli.remark(`Waiting ${seconds} s for the limit.`);
    return Bun.sleep(seconds * 1000);
  };
  try {
    return await runConformance({
      baseUrl,
      otherUrl,
      mayLackPrefix: exactUrl,
      keys: { key, ...others },
      enterpriseLimits: ENTERPRISE_LIMITS,
      wait: options.wait ? wait : undefined,
      timeoutMs: TIMEOUT_MS,
      now: platform.now,
    });
  } catch (error) {
    throw error instanceof CannotRun ? new OperatorError(error.message) : error;
  }
}

/** Returns the base address without a trailing slash. Adds /v1 to an address without a path, unless it is exact. */
export function parseBaseUrl(text: string, isExact = false): string {
  // The text may be a key that was typed in the wrong place, so the message does not show it.
  if (!isPublicUrl(text)) throw new OperatorError(`The address ${PUBLIC_URL_RULE}.`);
  const { origin, pathname } = new URL(text);
  return origin + (pathname.replace(/\/+$/, '') || (isExact ? '' : '/v1'));
}

/** Throws unless each key is a bearer token (RFC 6750) that fits in a header. The message does not quote it. */
function keysOf({ io }: Cli): Partial<Record<KeyName, string>> {
  const given = KEY_NAMES.flatMap((name) => {
    const variable = variableOf(name);
    const key = io.env[variable];
    if (!key) return [];
    if (/^[\w.~+/-]{1,4000}=*$/.test(key)) return [[name, key]];
    throw new OperatorError(
      `${variable} must have up to 4,000 letters, digits and - . _ ~ + / characters.`,
    );
  });
  return Object.fromEntries(given);
}
