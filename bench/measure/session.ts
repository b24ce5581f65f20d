import { readdirSync, readFileSync } from 'node:fs';

/** User and system time of a session. `schedstat` is exact, where `stat` counts in 10 ms. */
export function cpuMicroseconds(session: number): number {
  const threads = membersOf(session).flatMap((pid) =>
    attempt(() => readdirSync(`/proc/${pid}/task`), []).map((thread) => `${pid}/task/${thread}`),
  );
  return sum(threads.map((thread) => numberIn(`${thread}/schedstat`, /^(\d+)/))) / 1_000;
}

/** The largest resident size of the processes of a session. */
export function peakMemoryMb(session: number): number {
  return statusMb(session, /^VmHWM:\s+(\d+)/m);
}

/** The resident size of the processes of a session now. */
export function memoryMb(session: number): number {
  return statusMb(session, /^VmRSS:\s+(\d+)/m);
}

/** Calls of write(2) by a process. */
export function writeCalls(pid: number): number {
  return numberIn(`${pid}/io`, /^syscw: (\d+)$/m);
}

/** The fourth field after the name is the session. The name may contain spaces and parentheses. */
function membersOf(session: number): string[] {
  const pattern = /.*\) \S \d+ \d+ (\d+)/s;
  return readdirSync('/proc').filter((name) => numberIn(`${name}/stat`, pattern) === session);
}

function statusMb(session: number, pattern: RegExp): number {
  return sum(membersOf(session).map((pid) => numberIn(`${pid}/status`, pattern))) / 1024;
}

function numberIn(file: string, pattern: RegExp): number {
  const text = attempt(() => readFileSync(`/proc/${file}`, 'utf8'), '');
  return Number(pattern.exec(text)?.[1] ?? 0);
}

/** Processes and threads may end while they are being read. */
function attempt<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
