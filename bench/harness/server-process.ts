import type { Command } from './contender.ts';

const SERVER_CORE = '0';
const START_DEADLINE_MS = 30_000;

export interface ServerProcess extends AsyncDisposable {
  readonly pid: number;
  readonly url: string;
  /** From the start of the process to its first answer with the status that was waited for. */
  readonly startMs: number;
}

/** Starts a server on a core of its own and waits until it serves `probe`. */
export async function startServer(
  { words, settings }: Command,
  port: number,
  probe: { readonly path: string; readonly key: string },
): Promise<ServerProcess> {
  const startedAtMs = performance.now();
  // It must not outlive the benchmark, not even when that is killed.
  const bound = ['setpriv', '--pdeathsig', 'KILL', 'taskset', '--cpu-list', SERVER_CORE];
  const child = Bun.spawn([...bound, ...words], {
    env: { PATH: Bun.env['PATH'] ?? '', HOME: Bun.env['HOME'] ?? '', ...settings },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const stderr = new Response(child.stderr).text();
  const stop = async () => {
    child.kill('SIGTERM');
    const deadline = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await child.exited;
    clearTimeout(deadline);
  };
  const url = `http://127.0.0.1:${port}`;
  const headers = { Authorization: `Bearer ${probe.key}` };
  while (!(await serves(`${url}${probe.path}`, headers))) {
    if (child.exitCode !== null) throw new Error(`${words.join(' ')} ended: ${await stderr}`);
    if (performance.now() - startedAtMs > START_DEADLINE_MS) {
      await stop();
      throw new Error(`${words.join(' ')} does not answer: ${await stderr}`);
    }
    await Bun.sleep(1);
  }
  const startMs = performance.now() - startedAtMs;
  return { pid: child.pid, url, startMs, [Symbol.asyncDispose]: stop };
}

async function serves(url: string, headers: Record<string, string>): Promise<boolean> {
  try {
    const response = await fetch(url, { headers });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}
