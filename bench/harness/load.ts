import { join } from 'node:path';
import { finished } from '../../test/support/finished.ts';

const LOAD_CORE = '1';
const SCRIPTS = join(import.meta.dir, '../load');

/** What a load generator saw. Times are in microseconds. */
export interface LoadReport {
  readonly requests: number;
  /** Answers with a status of 400 or above. */
  readonly refused: number;
  /** Requests without an answer. */
  readonly failures: number;
  readonly seconds: number;
  readonly p50Us: number;
  readonly p99Us: number;
}

export interface LoadOptions {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** The requests, as `toLines` writes them. */
  readonly file: string;
  /** How many of them were sent before. */
  readonly offset?: number;
}

export function loadGenerator(): 'wrk' | 'autocannon' {
  return Bun.which('wrk') === null ? 'autocannon' : 'wrk';
}

/** Loads a server from a core of its own. Throws when a request got no answer. */
export async function load(options: LoadOptions): Promise<LoadReport> {
  const words = loadGenerator() === 'wrk' ? wrkCommand(options) : autocannonCommand(options);
  const child = Bun.spawn(['taskset', '--cpu-list', LOAD_CORE, ...words], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const { exitCode, stdout, stderr } = await finished(child);
  const line = stdout.trimEnd().split('\n').at(-1) ?? '';
  if (exitCode !== 0 || !line.startsWith('{')) {
    throw new Error(`The load generator failed: ${stderr || stdout}`);
  }
  const report: LoadReport = JSON.parse(line);
  if (report.failures > 0) throw new Error(`${report.failures} requests got no answer`);
  return report;
}

function wrkCommand({ url, connections, seconds, file, offset = 0 }: LoadOptions): string[] {
  const script = join(SCRIPTS, 'replay.lua');
  const load = ['--threads', '1', '--connections', `${connections}`, '--duration', `${seconds}s`];
  // A slow answer is to be seen as slow, and not as none.
  const patience = ['--timeout', '30s'];
  return ['wrk', ...load, ...patience, '--script', script, url, '--', file, `${offset}`];
}

function autocannonCommand({ url, connections, seconds, file, offset = 0 }: LoadOptions): string[] {
  const script = join(SCRIPTS, 'autocannon.js');
  return [benchNode(), script, url, `${connections}`, `${seconds}`, file, `${offset}`];
}

/** The newest Node.js, as the frameworks run on it too. */
export function benchNode(): string {
  return join(import.meta.dir, '../node_modules/.bin/node');
}
