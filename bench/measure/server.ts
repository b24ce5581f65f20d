import { keyOf } from './fixture.ts';
import { send } from './send.ts';

const SERVER_CORE = '0';
const START_DEADLINE_MS = 30_000;

/** The environment of a server. It gets nothing else from that of the benchmark but PATH. */
export interface Settings extends Readonly<Record<string, string>> {
  readonly PORT: string;
  readonly FOLDER: string;
  /** A getPet of Animal Store, for servers that always send the same response. */
  readonly RESPONSE_FILE: string;
}

export interface Server extends AsyncDisposable {
  /** Also the session of all its processes. */
  readonly pid: number;
  readonly url: string;
  /** From the start of the process to its first response to getPet. */
  readonly startMs: number;
}

/** Starts a server on the core that all servers share, and waits until it serves getPet. */
export async function startServer(words: readonly string[], settings: Settings): Promise<Server> {
  const startedAtMs = performance.now();
  // A server must not outlive the benchmark, even if that is killed.
  const wrapper = ['setpriv', '--pdeathsig', 'KILL', 'taskset', '--cpu-list', SERVER_CORE];
  const child = Bun.spawn([...wrapper, ...words], {
    env: { PATH: Bun.env['PATH'] ?? '', ...settings },
    detached: true,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'inherit',
  });
  const stop = async () => {
    child.kill('SIGTERM');
    const deadline = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await child.exited;
    clearTimeout(deadline);
  };
  const url = `http://127.0.0.1:${settings.PORT}`;
  while (!(await servesPets(url))) {
    if (child.exitCode !== null || performance.now() - startedAtMs > START_DEADLINE_MS) {
      await stop();
      throw new Error(`"${words.join(' ')}" does not serve pets`);
    }
    await Bun.sleep(1);
  }
  const startMs = performance.now() - startedAtMs;
  return { pid: child.pid, url, startMs, [Symbol.asyncDispose]: stop };
}

function servesPets(url: string): Promise<boolean> {
  const response = send(url, { path: '/v1/pets/1', key: keyOf(1) });
  return response.then(({ status }) => status === 200).catch(() => false);
}
