import { Command, InvalidArgumentError } from 'commander';
import { parseBaseUrl } from '../conformance/base-url.ts';
import { junitXml } from '../conformance/junit.ts';
import { reportLines } from '../conformance/report.ts';
import { CHECK_COUNT, type Report, runConformance } from '../conformance/run.ts';
import { CannotRun } from '../conformance/verdict.ts';
import { platform } from '../platform.ts';
import { print } from './output.ts';
import { Progress } from './progress.ts';

const SOME_FAILED = 1;
const COULD_NOT_RUN = 2;

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

Exit code: 0 when nothing failed, 1 when something did, 2 when it could not be checked.`;

export function conformanceCommand(): Command {
  return (
    new Command('conformance')
      .description('check a deployment against the interface, from outside')
      .argument('<url>', 'its base address; without a path, /v1 is added')
      .requiredOption('--key <key>', 'an API key of it')
      .option('--key-free <key>', 'a key of the Free plan, of another account, to exceed its limit')
      .option('--no-wait', 'leave out the one sentence that takes a wait of up to a minute')
      .option('--timeout <seconds>', 'how long to wait for an answer', parseSeconds, 10)
      .option('--junit <file>', 'also write the report as JUnit XML')
      .option('--json', 'print JSON')
      .addHelpText('after', HELP)
      // Exit code 1 is for deployments that fail, so a wrong call must not have it.
      .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : COULD_NOT_RUN))
      .action(async (url: string, options: ConformanceOptions) => {
        try {
          const report = await check(url, options);
          const { json = false, junit } = options;
          await print(json, report, reportLines(report));
          if (junit !== undefined) await writeJunit(junit, report);
          if (report.failed > 0) process.exitCode = SOME_FAILED;
        } catch (error) {
          if (!(error instanceof CannotRun)) throw error;
          console.error(error.message);
          process.exitCode = COULD_NOT_RUN;
        }
      })
  );
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
      onWait: (seconds) => progress.say(`waiting ${seconds} s for the limit`),
    },
    () => progress.step(),
  );
}

async function writeJunit(file: string, report: Report): Promise<void> {
  try {
    await Bun.write(file, junitXml(report));
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
