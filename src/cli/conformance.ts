import { closeSync, openSync, writeFileSync } from 'node:fs';
import { styleText } from 'node:util';
import { Command, InvalidArgumentError } from 'commander';
import { parseBaseUrl } from '../conformance/base-url.ts';
import { CannotRun } from '../conformance/check-error.ts';
import { junitXml } from '../conformance/junit.ts';
import type { Report } from '../conformance/report.ts';
import { CHECK_COUNT, runConformance } from '../conformance/run.ts';
import { type Line, reportLines, type Style } from '../conformance/text-report.ts';
import { platform } from '../platform.ts';
import { isBrokenPipe, type JsonOption, print, writeLines } from './output.ts';
import { printable } from './printable.ts';
import { Progress } from './progress.ts';
import { readKeys, readPlanKeys } from './read-keys.ts';

const NONE_FAILED = 0;
const SOME_FAILED = 1;
const NO_VERDICT = 2;

interface ConformanceOptions extends JsonOption {
  readonly key?: string;
  readonly keyFree?: string;
  readonly wait: boolean;
  readonly timeout: number;
  readonly junit?: string;
  readonly other?: string;
}

const STYLES = {
  title: 'bold',
  passed: 'green',
  failed: 'red',
  notCheckable: 'yellow',
  faint: 'dim',
} as const satisfies Record<Style, Parameters<typeof styleText>[0]>;

const HELP = `
Keys come from the options, from ANIMAL_STORE_API_KEY and ANIMAL_STORE_API_KEY_FREE, or from standard
input, one on each line. Prefer the last two: every user of the machine can see options, for example
with ps. Reports never show a key.

Adds up to a hundred pets whose names begin with conformance-check. They stay, because the API cannot
remove them. Sends about 80 requests with --key and 65 with --key-free, whatever the size of the store,
and never more than 200 and 400. If links to the next page do not contain the id of a pet, it also
reads page after page to find its pets, with the requests that the key has to spare. Keeps to the
limits of the keys, and waits when the service asks for it.

On staging it moves the test clocks of the accounts instead of waiting, and puts them back to the real
time. It also checks days, bans, the removal of getPet and every plan, with up to 3,000 requests. It
reads the keys for the plans from ANIMAL_STORE_API_KEY_PRO, _PRO_DAY, _BUSINESS, _BUSINESS_DAY,
_ENTERPRISE and _ENTERPRISE_DAY, and the limits of the last from ANIMAL_STORE_ENTERPRISE_LIMITS, such
as 20/100. A key of a DAY simulates rate_limit_day. "animal-store staging keys" creates all of them.

Exit code: 0 if nothing failed, 1 if a check failed, 2 if the run could not finish.`;

export function conformanceCommand(): Command {
  return (
    new Command('conformance')
      .description('check a deployment against the API contract')
      .argument('<url>', 'base address; /v1 is added if it has no path')
      .option('--key <key>', 'an API key of the deployment; - reads it from standard input')
      .option('--key-free <key>', 'a Free plan key of another account, to exceed its limit')
      .option('--other <url>', 'base address of staging, if <url> is production, or vice versa')
      .option('--no-wait', 'skip checks that have to wait for a limit')
      .option('--timeout <seconds>', 'how long to wait for a response', parseSeconds, 10)
      .option('--junit <file>', 'also write the report as JUnit XML')
      .option('--json', 'print JSON')
      .addHelpText('after', HELP)
      // Exit code 1 means that a check failed, so a usage error must not return it.
      .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : NO_VERDICT))
      .action(async (url: string, options: ConformanceOptions) => {
        process.exitCode = NO_VERDICT;
        try {
          await checkAndReport(url, options);
        } catch (error) {
          // If the reader closed the pipe, the verdict still stands.
          if (!isBrokenPipe(error)) process.exitCode = NO_VERDICT;
          if (!(error instanceof CannotRun)) throw error;
          console.error(printable(error.message));
        }
      })
  );
}

async function checkAndReport(url: string, options: ConformanceOptions): Promise<void> {
  const { json, junit } = options;
  // First, so that no pets are added for a report that cannot be written.
  const file = junit === undefined ? undefined : openJunit(junit);
  const report = await check(url, options);
  try {
    if (file !== undefined) writeJunit(file, report);
    process.exitCode = exitCodeOf(report);
  } finally {
    if (json) await print(json, report, []);
    // A terminal that does not report its width has 0 columns.
    else await writeLines(reportLines(report, process.stdout.columns || undefined).map(render));
  }
}

/** `styleText` obeys NO_COLOR, FORCE_COLOR and TERM, and colors no pipe. */
function render(line: Line): string {
  return line
    .map((part) => {
      if (typeof part === 'string') return printable(part);
      return styleText(STYLES[part.style], printable(part.text), { stream: process.stdout });
    })
    .join('');
}

function exitCodeOf({ failed, stopped }: Report): number {
  if (failed > 0) return SOME_FAILED;
  return stopped === undefined ? NONE_FAILED : NO_VERDICT;
}

async function check(url: string, options: ConformanceOptions): Promise<Report> {
  const { wait, timeout, other } = options;
  const baseUrl = parseBaseUrl(url);
  const otherUrl = other === undefined ? undefined : parseBaseUrl(other);
  const plans = readPlanKeys();
  const { key, freeKey } = await readKeys(options);
  using progress = new Progress('Checked', CHECK_COUNT);
  return await runConformance(
    {
      baseUrl,
      key,
      freeKey,
      ...plans,
      otherUrl,
      mayWait: wait,
      timeoutMs: timeout * 1000,
      now: platform.now,
      sleep: Bun.sleep,
      onWait: (seconds) => progress.note(`waiting ${seconds} s for the limit`),
    },
    () => progress.step(),
  );
}

/** Empties the file, so that an old report cannot pass for this run's. */
function openJunit(path: string): number {
  return orCannotRun(() => openSync(path, 'w'));
}

function writeJunit(file: number, report: Report): void {
  orCannotRun(() => {
    writeFileSync(file, junitXml(report));
    closeSync(file);
  });
}

function orCannotRun<T>(write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw new CannotRun(`Cannot write the JUnit file: ${(error as Error).message}.`);
  }
}

function parseSeconds(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of seconds from 1 to 9999.');
}
