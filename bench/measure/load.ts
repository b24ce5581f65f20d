import { join } from 'node:path';
import { writeCalls } from './session.ts';

const LOAD_CORE = '1';
const SCRIPT = join(import.meta.dir, 'replay.lua');
export const CONNECTIONS = 64;

/** The figures that the load generator prints. */
export interface LoadReport {
  readonly requests: number;
  /** Responses with a status of 400 or above. */
  readonly refused: number;
  /** Requests without a response. */
  readonly failures: number;
  readonly p99Us: number;
}

export interface Load {
  /** Requests sent so far. */
  sent(): number;
  /** Rejects when a request got no response. */
  readonly report: Promise<LoadReport>;
}

/** Starts to send the requests of a file, over and over. */
export function startLoad(url: string, file: string, seconds: number): Load {
  const child = Bun.spawn(
    [
      ...['taskset', '--cpu-list', LOAD_CORE],
      ...['wrk', '--threads', '1', '--connections', `${CONNECTIONS}`, '--duration', `${seconds}s`],
      // A slow response must show up as slow, not as a failure.
      ...['--timeout', '30s', '--script', SCRIPT, url, '--', file],
    ],
    { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' },
  );
  // wrk writes each request with one call, and prints its own count only at the end.
  return { sent: () => writeCalls(child.pid), report: readReport(child) };
}

async function readReport(child: Bun.Subprocess<'ignore', 'pipe', 'inherit'>): Promise<LoadReport> {
  const output = await new Response(child.stdout).text();
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  if ((await child.exited) !== 0 || !line.startsWith('{')) throw new Error(`wrk failed: ${output}`);
  const report: LoadReport = JSON.parse(line);
  if (report.failures > 0) throw new Error(`${report.failures} requests got no response`);
  return report;
}
