import { Command, InvalidArgumentError } from 'commander';
import type { KeyName } from '../conformance/http.ts';
import { type Report, reportLines } from '../conformance/report.ts';
import { CONTRACT, runConformance } from '../conformance/run.ts';
import { CannotRun, type Limits } from '../conformance/session.ts';
import { platform } from '../platform.ts';
import { type Cli, isBrokenPipe } from './cli.ts';
import { printable, styled } from './printable.ts';

const NONE_FAILED = 0;
const SOME_FAILED = 1;
const NO_VERDICT = 2;

interface ConformanceOptions {
  readonly key?: string;
  readonly keyFree?: string;
  readonly wait: boolean;
  readonly timeout: number;
  readonly other?: string;
}

const HELP = `
Keys come from the options, from ANIMAL_STORE_API_KEY and ANIMAL_STORE_API_KEY_FREE, or from standard
input, one on each line. Prefer the last two: every user of the machine can see options, for example
with ps. Reports never show a key.

Adds up to a hundred pets whose names begin with conformance-check. They stay, because the API cannot
remove them. Sends about 60 requests with --key and 65 with --key-free, whatever the size of the store,
and never more than 200 and 400. Keeps to the limits of the keys, and waits when the service asks for it.

On staging it moves the test clocks of the accounts instead of waiting, and puts them back to the real
time. It also checks days, bans, the removal of getPet and every plan, with up to 3,000 requests. It
reads the keys for the plans from ANIMAL_STORE_API_KEY_PRO, _PRO_DAY, _BUSINESS, _BUSINESS_DAY,
_ENTERPRISE and _ENTERPRISE_DAY, and the limits of the last from ANIMAL_STORE_ENTERPRISE_LIMITS, such
as 20/100. A key of a DAY simulates rate_limit_day. "animal-store staging keys" creates all of them.

Exit code: 0 if nothing failed, 1 if a check failed, 2 if the run could not finish.`;

export function conformanceCommand(cli: Cli): Command {
  return new Command('conformance')
    .description('check a deployment against the API contract')
    .argument('<url>', 'base address; /v1 is added if it has no path')
    .option('--key <key>', 'an API key of the deployment; - reads it from standard input')
    .option('--key-free <key>', 'a Free plan key of another account, to exceed its limit')
    .option('--other <url>', 'base address of staging, if <url> is production, or vice versa')
    .option('--no-wait', 'skip checks that have to wait for a limit')
    .option('--timeout <seconds>', 'how long to wait for a response', parseSeconds, 10)
    .addHelpText('after', HELP)
    .action(async (url: string, options: ConformanceOptions) => {
      cli.exitCode = NO_VERDICT;
      try {
        const report = await check(cli, url, options);
        cli.exitCode = exitCodeOf(report);
        if (cli.json) await cli.print(report, []);
        else
          await cli.write(
            `${reportLines(report)
              .map((line) => paint(cli, line))
              .join('\n')}\n`,
          );
      } catch (error) {
        // If the reader closed the pipe, the verdict still stands.
        if (!isBrokenPipe(error)) cli.exitCode = NO_VERDICT;
        if (!(error instanceof CannotRun)) throw error;
        await cli.remark(printable(error.message));
      }
    });
}

async function check(cli: Cli, url: string, options: ConformanceOptions): Promise<Report> {
  const { wait, timeout, other } = options;
  const baseUrl = parseBaseUrl(url);
  const otherUrl = other === undefined ? undefined : parseBaseUrl(other);
  const enterpriseLimits = parseLimits(variable(cli, 'ENTERPRISE_LIMITS'));
  const keys = { ...planKeys(cli), ...(await readKeys(cli, options)) };
  const count = CONTRACT.reduce((sum, { statements }) => sum + statements.length, 0);
  using progress = cli.progress('Checked', count);
  return await runConformance(
    {
      baseUrl,
      otherUrl,
      keys,
      enterpriseLimits,
      mayWait: wait,
      timeoutMs: timeout * 1000,
      now: platform.now,
      sleep: Bun.sleep,
      onWait: (seconds) => progress.note(`waiting ${seconds} s for the limit`),
    },
    () => progress.step(),
  );
}

function exitCodeOf({ failed, stopped }: Report): number {
  if (failed > 0) return SOME_FAILED;
  return stopped === undefined ? NONE_FAILED : NO_VERDICT;
}

/** Text of the service is indented further than these. */
const STYLES = [
  [/^ {0,2}✗/, 'red'],
  [/^ {0,2}–/, 'dim'],
  [/^✓/, 'green'],
  [/^\S/, 'bold'],
] as const;

function paint(cli: Cli, line: string): string {
  const [, style] = STYLES.find(([pattern]) => pattern.test(line)) ?? [];
  const text = printable(line);
  return style === undefined ? text : styled(style, text, cli.io.stdout);
}

/** The base address without a trailing slash. Adds /v1 to an address without a path. */
export function parseBaseUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    // It may be the key, in the wrong place.
    throw new CannotRun('The address must begin with http:// or https://.');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new CannotRun('The address must not have a user, a query or a fragment.');
  }
  return url.origin + (url.pathname.replace(/\/+$/, '') || '/v1');
}

function parseSeconds(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of seconds from 1 to 9999.');
}

/** A run counts the requests of a minute, so there can be 9,999 of them. */
function parseLimits(text: string | undefined): Limits | undefined {
  if (text === undefined) return undefined;
  const [, perMinute, perDay] = /^([1-9]\d{0,3})\/([1-9]\d{0,8})$/.exec(text) ?? [];
  if (perDay !== undefined) return { perMinute: Number(perMinute), perDay: Number(perDay) };
  throw new CannotRun(
    'ANIMAL_STORE_ENTERPRISE_LIMITS must be the requests a minute, up to 9999, and a day, such as 20/100.',
  );
}

const PLAN_KEYS: readonly KeyName[] = [
  'pro',
  'pro_day',
  'business',
  'business_day',
  'enterprise',
  'enterprise_day',
];

/** Most servers refuse a header of 8 kB. */
const MAX_KEY = 4_096;

/** Long enough for most programs that print a key. */
const QUIET_MS = 1_000;

const WAYS =
  'No key. Set ANIMAL_STORE_API_KEY, pipe the key to standard input, or use --key, which other users can see.';

function planKeys(cli: Cli): Partial<Record<KeyName, string>> {
  const keys = PLAN_KEYS.flatMap((name) => {
    const key = variable(cli, `API_KEY_${name.toUpperCase()}`);
    return key === undefined ? [] : [[name, checked(key)]];
  });
  return Object.fromEntries(keys);
}

/** From the options, or else the environment, or else standard input: one key a line. */
async function readKeys(cli: Cli, options: ConformanceOptions) {
  const key = options.key ?? variable(cli, 'API_KEY');
  const free = options.keyFree ?? variable(cli, 'API_KEY_FREE');
  const readsKey = key === undefined || key === '-';
  // Without --key, a second line may have the other key.
  const readsFree = free === '-' || (free === undefined && key === undefined);
  const lines = await readInput(cli, Number(readsKey) + Number(readsFree));
  const keyFound = readsKey ? lines.shift() : key;
  const freeFound = readsFree ? lines.shift() : free;
  if (!keyFound || (!freeFound && free === '-')) throw new CannotRun(WAYS);
  return { key: checked(keyFound), ...(freeFound && { free: checked(freeFound) }) };
}

function variable({ io }: Cli, name: string): string | undefined {
  return io.env[`ANIMAL_STORE_${name}`] || undefined;
}

/** Reads no more lines than it needs: a wrong file may never end. */
async function readInput({ io }: Cli, count: number): Promise<string[]> {
  if (count === 0) return [];
  // A terminal would show the key.
  if (io.ask !== undefined) throw new CannotRun(WAYS);
  const word = 'Waiting for the key on standard input. --help names other ways.\n';
  const timer = setTimeout(() => io.stderr.write(word), QUIET_MS);
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of io.input()) {
    text += decoder.decode(chunk, { stream: true });
    if (text.split('\n').length > count || text.length > 4 * MAX_KEY) break;
  }
  clearTimeout(timer);
  return text.split('\n', count).map((line) => line.trim());
}

/** Checks the characters of a bearer token (RFC 6750). The message does not quote the key. */
function checked(key: string): string {
  if (key.length > MAX_KEY) throw new CannotRun('A key can have up to 4,096 characters.');
  if (/^[\w.~+/-]+=*$/.test(key)) return key;
  throw new CannotRun('A key can only have letters, digits and - . _ ~ + /.');
}
