import { join } from 'node:path';
import { type Finished, finished } from './finished.ts';
import { WAIT_TIMEOUT_MS } from './hang.ts';

const MAIN = join(import.meta.dir, '../../src/main.ts');

export type Settings = Readonly<Record<string, string>>;

/** A test never inherits the settings of the machine it runs on. */
function environment(settings: Settings): Record<string, string> {
  return { PATH: Bun.env['PATH'] ?? '', HOME: Bun.env['HOME'] ?? '', ...settings };
}

/** The words that start the real command, for tests that wrap it in another program. */
export function commandLine(...words: string[]): string[] {
  return [process.execPath, MAIN, ...words];
}

/** Runs the real command to its end. */
export async function run(settings: Settings, ...words: string[]): Promise<Finished> {
  const child = Bun.spawn(commandLine(...words), {
    env: environment(settings),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  return finished(child);
}

/** Runs the real command with --json, which must succeed, and returns what it printed. */
export async function runJson<T>(settings: Settings, ...words: string[]): Promise<T> {
  const { exitCode, stdout, stderr } = await run(settings, ...words, '--json');
  if (exitCode !== 0) throw new Error(`${words.join(' ')} failed: ${stderr}`);
  return JSON.parse(stdout) as T;
}

export interface Started {
  readonly api: string;
  readonly operator: string;
  readonly data: string;
  readonly demoKey?: string;
  readonly listening: string;
  readonly warnings: readonly string[];
}

export interface Serving extends AsyncDisposable {
  readonly started: Started;
  readonly pid: number;
  /** Resolves once it has ended and all its output has been read. */
  readonly exited: Promise<number>;
  readonly exitCode: () => number | null;
  readonly stdout: () => string;
  readonly stderr: () => string;
  kill(signal: NodeJS.Signals): void;
}

/** Starts the real service on free ports and waits until it listens. */
export async function serve(
  settings: Settings,
  wrap: (words: string[]) => string[] = (words) => words,
): Promise<Serving> {
  const child = Bun.spawn(wrap(commandLine('serve', '--json')), {
    env: environment({ PORT: '0', OPERATOR_PORT: '0', ...settings }),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const listening = Promise.withResolvers<Started>();
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
  exited.then((code) => listening.reject(new Error(`It exited with ${code}: ${stderr}`)));
  const started = await listening.promise;
  return {
    started,
    pid: child.pid,
    exited,
    exitCode: () => child.exitCode,
    stdout: () => stdout,
    stderr: () => stderr,
    kill: (signal) => child.kill(signal),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await child.exited;
    },
  };
}

/** A key of a new account, made with the real command. */
export async function makeKey(
  settings: Settings,
  accountName: string,
  plan = ['enterprise', '--per-minute', '1000000', '--per-day', '1000000'],
): Promise<{ id: number; secret: string }> {
  await runJson(settings, 'accounts', 'create', accountName, '--plan', ...plan);
  return runJson(settings, 'keys', 'create', accountName);
}

/** Repeats a check until it is true. */
export async function eventually(check: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = performance.now() + WAIT_TIMEOUT_MS;
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error('The awaited condition never came true');
    await Bun.sleep(20);
  }
}
