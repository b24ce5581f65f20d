import { Command } from 'commander';
import { isPublicUrl, PUBLIC_URL_RULE } from '../config.ts';
import { KEY_NAMES, type KeyName, variableOf } from '../conformance/http.ts';
import { type Report, reportLines, runConformance } from '../conformance/run.ts';
import { CannotRun } from '../conformance/session.ts';
import { platform } from '../platform.ts';
import { type Cli, isBrokenPipe } from './cli.ts';
import { ENTERPRISE_LIMITS } from './staging.ts';
import { printable } from './text.ts';

const NONE_FAILED = 0;
const SOME_FAILED = 1;
const NO_VERDICT = 2;

const TIMEOUT_MS = 10_000;

interface ConformanceOptions {
  readonly wait: boolean;
  readonly other?: string;
}

const HELP = `
Reads an API key from ANIMAL_STORE_API_KEY, and a Free plan key of another account, to exceed its limit,
from ANIMAL_STORE_API_KEY_FREE. Adds up to a hundred pets named conformance-check, which stay. Sends at
most 400 requests with a key, and keeps to its limits.

On staging it moves test clocks instead of waiting. With the keys of "animal-store staging keys", it also
checks days, bans, the removal of getPet and every plan.

Exit code: 0 if nothing failed, 1 if a check failed, 2 if the run could not finish.`;

export function command(cli: Cli): Command {
  return new Command('conformance')
    .description('check a deployment against the API contract')
    .argument('<url>', 'base address; /v1 is added if it has no path')
    .option('--other <url>', 'base address of staging, if <url> is production, or vice versa')
    .option('--no-wait', 'skip checks that have to wait for a limit')
    .addHelpText('after', HELP)
    .action(async (url: string, options: ConformanceOptions) => {
      cli.exitCode = NO_VERDICT;
      try {
        const report = await check(cli, url, options);
        cli.exitCode = exitCodeOf(report);
        await cli.print(report, reportLines(report));
      } catch (error) {
        // If the reader closed the pipe, the verdict still stands.
        if (!isBrokenPipe(error)) cli.exitCode = NO_VERDICT;
        if (!(error instanceof CannotRun)) throw error;
        await cli.io.stderr.write(`${printable(error.message)}\n`);
      }
    });
}

function check(cli: Cli, url: string, { wait, other }: ConformanceOptions): Promise<Report> {
  const { key, ...others } = keysOf(cli);
  if (key === undefined) {
    throw new CannotRun('Set ANIMAL_STORE_API_KEY to an API key of the deployment.');
  }
  return runConformance({
    baseUrl: parseBaseUrl(url),
    otherUrl: other === undefined ? undefined : parseBaseUrl(other),
    keys: { key, ...others },
    enterpriseLimits: ENTERPRISE_LIMITS,
    mayWait: wait,
    timeoutMs: TIMEOUT_MS,
    now: platform.now,
    sleep: Bun.sleep,
    onWait: (seconds) => cli.remark(`Waiting ${seconds} s for the limit.`),
  });
}

function exitCodeOf({ failed, stopped }: Report): number {
  if (failed > 0) return SOME_FAILED;
  return stopped === undefined ? NONE_FAILED : NO_VERDICT;
}

/** The base address without a trailing slash. Adds /v1 to an address without a path. */
export function parseBaseUrl(text: string): string {
  // The text may be the key, in the wrong place, so it is not shown.
  if (!isPublicUrl(text)) throw new CannotRun(`The address ${PUBLIC_URL_RULE}.`);
  const { origin, pathname } = new URL(text);
  return origin + (pathname.replace(/\/+$/, '') || '/v1');
}

/** Each must be a bearer token (RFC 6750) that fits in a header. The message does not quote it. */
function keysOf({ io }: Cli): Partial<Record<KeyName, string>> {
  const given = KEY_NAMES.flatMap((name) => {
    const variable = variableOf(name);
    const key = io.env[variable];
    if (!key) return [];
    if (/^[\w.~+/-]{1,4000}=*$/.test(key)) return [[name, key]];
    throw new CannotRun(`${variable} must have letters, digits and - . _ ~ + /, up to 4,000.`);
  });
  return Object.fromEntries(given);
}
