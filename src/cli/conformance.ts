import { closeSync, openSync, writeFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { parseBaseUrl } from '../conformance/base-url.ts';
import { junitXml } from '../conformance/junit.ts';
import type { Report } from '../conformance/outcome.ts';
import { reportLines } from '../conformance/report.ts';
import { CHECK_COUNT, runConformance } from '../conformance/run.ts';
import { CannotRun } from '../conformance/verdict.ts';
import { platform } from '../platform.ts';
import { isBrokenPipe, print } from './output.ts';
import { printable } from './printable.ts';
import { Progress } from './progress.ts';

const NONE_FAILED = 0;
const SOME_FAILED = 1;
const NO_VERDICT = 2;

interface ConformanceOptions {
  readonly key: string;
  readonly keyFree?: string;
  readonly wait: boolean;
  readonly timeout: number;
  readonly json?: boolean;
  readonly junit?: string;
}

const HELP = `
It adds up to a hundred animals named conformance-check, which stay: the interface has no way to
remove them. It keeps to the limits of the key, and waits when it is told to.

Exit code: 0 when nothing failed, 1 when something did, 2 when it could not be checked to the end.`;

export function conformanceCommand(): Command {
  return (
    new Command('conformance')
      .description('check a deployment against the interface, from outside')
      .argument('<url>', 'its base address; without a path, /v1 is added')
      .requiredOption('--key <key>', 'an API key of it')
      .option('--key-free <key>', 'a key of the Free plan, of another account, to exceed its limit')
      .option('--no-wait', 'never wait for a limit: what takes a wait is left out')
      .option('--timeout <seconds>', 'how long to wait for an answer', parseSeconds, 10)
      .option('--junit <file>', 'also write the report as JUnit XML')
      .option('--json', 'print JSON')
      .addHelpText('after', HELP)
      // Exit code 1 is for deployments that fail, so a wrong call must not have it.
      .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : NO_VERDICT))
      .action(async (url: string, options: ConformanceOptions) => {
        process.exitCode = NO_VERDICT;
        try {
          await checkAndTell(url, options);
        } catch (error) {
          // Who reads no further has the verdict all the same.
          if (!isBrokenPipe(error)) process.exitCode = NO_VERDICT;
          if (!(error instanceof CannotRun)) throw error;
          console.error(printable(error.message));
        }
      })
  );
}

async function checkAndTell(url: string, options: ConformanceOptions): Promise<void> {
  const { json = false, junit } = options;
  // First, as animals that were added for a report which cannot be kept would stay.
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

/** Empties the file, so that nobody takes the report of another run for that of this one. */
function openJunit(path: string): number {
  return writing(() => openSync(path, 'w'));
}

function writeJunit(file: number, report: Report): void {
  writing(() => {
    writeFileSync(file, junitXml(report));
    closeSync(file);
  });
}

function writing<T>(write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw new CannotRun(`The JUnit file cannot be written: ${(error as Error).message}.`);
  }
}

/** What a bearer token may be made of (RFC 6750). The message does not repeat it. */
function parseKey(key: string): string {
  if (/^[\w.~+/-]+=*$/.test(key)) return key;
  throw new CannotRun('A key is made of letters, digits and - . _ ~ + / only.');
}

function parseSeconds(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of seconds, 1 at least.');
}
