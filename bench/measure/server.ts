import type { Contender, Dialect, Settings } from '../contenders/contender.ts';
import { NEUTRAL_FOLDER } from './checkout.ts';
import { get, type PlannedRequest, send } from './request.ts';

const SERVER_CORE = '0';
const START_DEADLINE_MS = 30_000;
const OURS: Dialect = { translate: (request) => request, send };

export interface Server extends AsyncDisposable {
  readonly contender: Contender;
  readonly folder: string;
  readonly pid: number;
  readonly url: string;
  /** From the start of the process to its first response to getPet. */
  readonly startMs: number;
  /** Translates a request to Animal Store into the same request to this server. */
  translate(request: PlannedRequest): PlannedRequest;
  /** Reads from the API of the console of Animal Store. */
  readConsole(path: string): Promise<Response>;
  /** Sends a request that is written for Animal Store. The response is the one that Animal Store would send. */
  send(request: PlannedRequest): Promise<Response>;
}

/** The start of a command line that runs a command on one core, and kills it if the benchmark is killed. */
export function boundTo(core: string): string[] {
  return ['setpriv', '--pdeathsig', 'KILL', 'taskset', '--cpu-list', core];
}

/** Starts a server on the core that all servers share, and waits until it serves getPet. */
export async function startServer(contender: Contender, settings: Settings): Promise<Server> {
  const words = contender.words(settings);
  const startedAtMs = performance.now();
  const child = Bun.spawn([...boundTo(SERVER_CORE), ...words], {
    cwd: NEUTRAL_FOLDER,
    env: { PATH: Bun.env['PATH'] ?? '', ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stop = async () => {
    child.kill('SIGTERM');
    const deadline = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await child.exited;
    clearTimeout(deadline);
  };
  const url = `http://127.0.0.1:${settings.PORT}`;
  const dialect = contender.dialect?.(settings.FOLDER) ?? OURS;
  const sendHere = (request: PlannedRequest) => dialect.send(url, request);
  const servesPets = async () => (await sendHere(get('/v1/pets/1'))).ok;
  while (!(await servesPets().catch(() => false))) {
    if (child.exitCode !== null || performance.now() - startedAtMs > START_DEADLINE_MS) {
      await stop();
      throw new Error(`"${words.join(' ')}" did not serve a pet within 30 s, or has exited`);
    }
    await Bun.sleep(1);
  }
  const startMs = performance.now() - startedAtMs;
  return {
    contender,
    folder: settings.FOLDER,
    pid: child.pid,
    url,
    startMs,
    translate: dialect.translate,
    send: sendHere,
    readConsole(path) {
      const headers = { Authorization: `Bearer ${settings.OPERATOR_TOKEN}` };
      return fetch(`http://127.0.0.1:${settings.OPERATOR_PORT}${path}`, { headers });
    },
    [Symbol.asyncDispose]: stop,
  };
}
