import { closeSync, openSync, writeFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { parseBaseUrl } from '../conformance/base-url.ts';
import { CannotRun } from '../conformance/check-error.ts';
import { junitXml } from '../conformance/junit.ts';
import type { Report } from '../conformance/report.ts';
import { CHECK_COUNT, runConformance } from '../conformance/run.ts';
import { reportLines } from '../conformance/text-report.ts';
import { platform } from '../platform.ts';
import { isBrokenPipe, type JsonOption, print } from './output.ts';
import { printable } from './printable.ts';
import { Progress } from './progress.ts';

const NONE_FAILED = 0;
const SOME_FAILED = 1;
const NO_VERDICT = 2;

interface ConformanceOptions extends JsonOption {
  readonly key: string;
  readonly keyFree?: string;
  readonly wait: boolean;
  readonly timeout: number;
  readonly junit?: string;
}

const HELP = `
Adds up to a hundred pets named conformance-check. They stay, because the API cannot remove them.
Keeps to the limits of the key, and waits when the service asks for it.

Exit code: 0 if nothing failed, 1 if a check failed, 2 if the run could not finish.`;

export function conformanceCommand(): Command {
  return (
    new Command('conformance')
      .description('check a deployment against the API contract')
      .argument('<url>', 'base address; /v1 is added if it has no path')
      .requiredOption('--key <key>', 'an API key of the deployment')
      .option('--key-free <key>', 'a Free plan key of another account, to exceed its limit')
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
    await print(json, report, reportLines(report));
  }
}

function exitCodeOf({ failed, stopped }: Report): number {
  if (failed > 0) return SOME_FAILED;
  return stopped === undefined ? NONE_FAILED : NO_VERDICT;
}

async function check(url: string, options: ConformanceOptions): Promise<Report> {
  const { key, keyFree, wait, timeout } = options;
  using progress = new Progress('Checked', CHECK_COUNT);
  return await runConformance(
    {
      baseUrl: parseBaseUrl(url),
      key: parseKey(key),
      freeKey: keyFree === undefined ? undefined : parseKey(keyFree),
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

/** Checks the characters of a bearer token (RFC 6750). The message does not quote the key. */
function parseKey(key: string): string {
  if (/^[\w.~+/-]+=*$/.test(key)) return key;
  throw new CannotRun('A key can only have letters, digits and - . _ ~ + /.');
}

function parseSeconds(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of seconds from 1 to 9999.');
}
