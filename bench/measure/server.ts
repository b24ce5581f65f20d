import { keyOf } from './fixture.ts';

const SERVER_CORE = '0';
const START_DEADLINE_MS = 30_000;

/** How to start a server. It gets these settings and nothing else from the environment. */
export interface Command {
  readonly words: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
}

export interface Server extends AsyncDisposable {
  readonly pid: number;
  readonly url: string;
  /** From the start of the process to its first response to getPet. */
  readonly startMs: number;
}

/** Starts a server on the core that all servers share, and waits until it serves getPet. */
export async function startServer({ words, settings }: Command, port: number): Promise<Server> {
  const startedAtMs = performance.now();
  // A server must not outlive the benchmark, even if that is killed.
  const wrapper = ['setpriv', '--pdeathsig', 'KILL', 'taskset', '--cpu-list', SERVER_CORE];
  const child = Bun.spawn([...wrapper, ...words], {
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
  while (!(await servesPets(url))) {
    if (child.exitCode !== null) throw new Error(`${words.join(' ')} exited: ${await stderr}`);
    if (performance.now() - startedAtMs > START_DEADLINE_MS) {
      await stop();
      throw new Error(`${words.join(' ')} does not respond: ${await stderr}`);
    }
    await Bun.sleep(1);
  }
  const startMs = performance.now() - startedAtMs;
  return { pid: child.pid, url, startMs, [Symbol.asyncDispose]: stop };
}

async function servesPets(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/v1/pets/1`, {
      headers: { Authorization: `Bearer ${keyOf(1)}` },
    });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
