import { join } from 'node:path';
import type { Io } from '#cli/cli.ts';
import { runCommand } from '#cli/run.ts';
import { startReport } from '#cli/start-report.ts';
import { readConfig } from '#config.ts';
import type { Limits, Plan } from '#domain/plan.ts';
import { type Output, platform } from '#platform.ts';
import { startService } from '#service/service.ts';
import { backendAt } from '#stores/backends.ts';
import { apiCaller } from './http.ts';
import { killedWithTests } from './programs.ts';
import {
  backend,
  createAccount,
  createKey,
  createStore,
  type Settings,
  TEST_ORIGIN,
} from './store.ts';
import { newFile } from './temporary-folder.ts';

/** The whole run of the tests bundles the program once, since every start would transpile it again. */
const ROOT = Bun.env['TEST_PROGRAM'] ?? join(import.meta.dir, '../..');
/** Those of the launcher: Bun then reads no settings from the working folder. */
const FLAGS = [
  '--no-env-file',
  `--config=${join(ROOT, 'bunfig.toml')}`,
  `--tsconfig-override=${join(ROOT, 'tsconfig.json')}`,
  '--no-install',
];

const SEEN_MS = 10;
const FREE_PORTS = { PORT: '0', OPERATOR_PORT: '0' };

/** What `serve` prints as JSON. */
type StartReport = ReturnType<typeof startReport>;

/** Tests must not inherit settings from the machine, nor fail because it is busy. */
function environment(settings: Settings): Record<string, string> {
  return {
    PATH: Bun.env['PATH'] ?? '',
    HOME: Bun.env['HOME'] ?? '',
    STORE_TIMEOUT_SECONDS: '60',
    ...settings,
  };
}

/** The command line of the real program, for tests that wrap it in another program. */
export function commandLine(...args: string[]): string[] {
  return [process.execPath, ...FLAGS, join(ROOT, 'src/main.ts'), ...wordsOf(args)];
}

/** The first argument is a line of words, as it is typed. Those after it may contain spaces. */
function wordsOf([line, ...args]: readonly string[]) {
  return [...(line?.split(' ') ?? []), ...args];
}

/** Runs a command in this process, without the cost of starting one. */
export function run(settings: Settings, ...args: string[]) {
  return runWith({}, settings, ...args);
}

/** The same with standard input, a terminal or answers. */
export async function runWith(io: Partial<Io>, settings: Settings, ...args: string[]) {
  const words = wordsOf(args);
  if (needsProcess(words)) return runProcess(settings, ...words);
  const stdout = new TextOutput();
  const stderr = new TextOutput();
  const exitCode = await runCommand(words, {
    env: environment(settings),
    stdout,
    stderr,
    input: () => new Blob([]).stream(),
    userName: () => 'tester',
    ...io,
  });
  // A service on SQLite asks for changes at most every five milliseconds.
  await Bun.sleep(SEEN_MS);
  return { exitCode, stdout: stdout.text, stderr: stderr.text };
}

/** A service runs until a signal. */
function needsProcess([name, ...options]: readonly string[]) {
  return name === 'serve' && !options.includes('--help');
}

class TextOutput implements Output {
  text = '';

  async write(text: string): Promise<void> {
    this.text += text;
  }
}

/** Runs the command as an operator does, and waits until it exits. */
export function runProcess(settings: Settings, ...args: string[]) {
  return runLine(commandLine(...args), settings);
}

/** Runs any command line, in any folder. A service gets free ports. */
export async function runLine(line: string[], settings: Settings, folder?: string) {
  const child = Bun.spawn(line, {
    env: environment({ ...FREE_PORTS, ...settings }),
    ...(folder !== undefined && { cwd: folder }),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exitCode, stdout, stderr };
}

/** Runs a command on a terminal, answers its first question, and returns everything that the terminal shows. */
export async function runOnTerminal(
  settings: Settings,
  line: string,
  answer: string,
): Promise<string> {
  let shown = '';
  const data = (terminal: Bun.Terminal, bytes: Uint8Array) => {
    if (shown === '') terminal.write(`${answer}\r`);
    shown += new TextDecoder().decode(bytes);
  };
  await Bun.spawn(commandLine(line), { env: environment(settings), terminal: { data } }).exited;
  return shown;
}

/** Runs a command that must succeed, and returns what it prints. */
export async function printed(settings: Settings, ...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run(settings, ...args);
  if (exitCode !== 0) throw new Error(`${args.join(' ')} failed: ${stderr}`);
  return stdout;
}

/** Runs a command that must fail, and returns its error. */
export async function refusal(settings: Settings, ...args: string[]): Promise<string> {
  const { exitCode, stderr } = await run(settings, ...args);
  if (exitCode === 0) throw new Error(`${args.join(' ')} must fail`);
  return stderr;
}

/** The output of a command with --json. */
// biome-ignore lint/suspicious/noExplicitAny: the tests check the values.
export async function runJson<T = any>(settings: Settings, ...args: string[]): Promise<T> {
  return JSON.parse(await printed(settings, ...args, '--json'));
}

export type Serving = Awaited<ReturnType<typeof serve>>;

/** Starts the real service on free ports and waits until it listens. */
export async function serve(
  settings: Settings,
  wrap: (args: string[]) => string[] = (args) => args,
) {
  const child = Bun.spawn([...killedWithTests('KILL'), ...wrap(commandLine('serve', '--json'))], {
    env: environment({ ...FREE_PORTS, ...settings }),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const listening = Promise.withResolvers<StartReport>();
  let stdout = '';
  let stderr = '';
  const collect = async (stream: ReadableStream<Uint8Array>, add: (text: string) => void) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) add(decoder.decode(chunk, { stream: true }));
  };
  const printed = collect(child.stdout, (text) => {
    stdout += text;
    const end = stdout.indexOf('\n');
    if (end !== -1) listening.resolve(JSON.parse(stdout.slice(0, end)));
  });
  const logged = collect(child.stderr, (text) => {
    stderr += text;
  });
  const exited = Promise.all([child.exited, printed, logged]).then(([code]) => code);
  exited.then((code) => listening.reject(new Error(`The service exited with ${code}: ${stderr}`)));
  const started = await listening.promise;
  return {
    started,
    pid: child.pid,
    /** Resolves when the process has exited and all its output was read. */
    exited,
    /** The code or the signal with which it ended. Null while it runs. */
    exitCode: () => child.exitCode ?? child.signalCode,
    stdout: () => stdout,
    stderr: () => stderr,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** Stops it as a supervisor does, and returns its exit code. */
    stop() {
      child.kill('SIGTERM');
      return exited;
    },
    isReady: async () => (await fetch(`${started.operator}/health/ready`)).ok,
    metric: (name: string) => metricOf(started, name),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await child.exited;
    },
  };
}

/**
 * Starts the service in this process, on free ports and without a log. That takes a small part of the CPU time of
 * `serve`, for tests that need neither a process nor its output.
 */
export async function serveHere(settings: Settings) {
  const config = readConfig({}, environment({ ...FREE_PORTS, LOG_LEVEL: 'silent', ...settings }));
  const database = backendAt({ ...config.database, ...platform, origin: TEST_ORIGIN });
  const service = await startService(config, database, TEST_ORIGIN);
  const started = startReport(config, database, service);
  return {
    started,
    metric: (name: string) => metricOf(started, name),
    /** A stop as after a signal. */
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

export type ServingHere = Awaited<ReturnType<typeof serveHere>>;

/** The value of a metric without labels. The name leaves out `animal_store_`. */
async function metricOf({ operator }: StartReport, name: string) {
  const text = await (await fetch(`${operator}/metrics`)).text();
  return Number(new RegExp(`^animal_store_${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

/** Creates an account and a key, and the store if there is none. */
export async function makeKey(
  { DATABASE_URL = '' }: Settings,
  accountName: string,
  plan?: Plan,
  limits?: Partial<Limits>,
): Promise<{ id: number; secret: string }> {
  await createStore(DATABASE_URL);
  await using store = await backend(DATABASE_URL).openForCommand();
  await createAccount(store, { name: accountName, plan, limits });
  const { environment } = await store.environment.read();
  return await createKey(store, { accountName, environment });
}

/** A service, and a caller with a key of a new account. */
export type ServedWithKey = Awaited<ReturnType<typeof serveWithKey>>;

/** Serves a new file, unless the settings name another store. The limits are high by default. */
export async function serveWithKey(changes: Settings = {}, limits: Partial<Limits> = {}) {
  const settings = { ...newFile().settings, ...changes };
  await using starting = new AsyncDisposableStack();
  const service = starting.use(await serve(settings));
  /** The data file, if the store is one. */
  const { api, data: file } = service.started;
  const account = Bun.randomUUIDv7();
  const { id: keyId, secret } = await makeKey(settings, account, 'enterprise', limits);
  starting.move();
  return { ...service, ...apiCaller(api, secret), settings, file, account, keyId, secret };
}
