import { readdirSync, readFileSync } from 'node:fs';

/** User and system time of a session. `schedstat` is exact, where `stat` counts in 10 ms. */
export function cpuMicroseconds(session: number): number {
  const tasks = membersOf(session).flatMap((pid) =>
    attempt(() => readdirSync(`/proc/${pid}/task`), []).map((task) => `${pid}/task/${task}`),
  );
  return sum(tasks.map((task) => Number.parseInt(textOf(task, 'schedstat'), 10) || 0)) / 1_000;
}

/** The largest resident size of the processes of a session. */
export function peakMemoryMb(session: number): number {
  const peaks = membersOf(session).map((pid) => /^VmHWM:\s+(\d+) kB$/m.exec(textOf(pid, 'status')));
  return sum(peaks.map((match) => Number(match?.[1] ?? 0))) / 1024;
}

/** Calls of write(2) by a process. */
export function writeCalls(pid: number): number {
  return Number(/^syscw: (\d+)$/m.exec(textOf(`${pid}`, 'io'))?.[1] ?? 0);
}

/** The fourth field after the name is the session. The name may contain spaces and parentheses. */
function membersOf(session: number): string[] {
  return readdirSync('/proc').filter(
    (name) => Number(textOf(name, 'stat').split(') ').at(-1)?.split(' ')[3]) === session,
  );
}

function textOf(process: string, file: string): string {
  return attempt(() => readFileSync(`/proc/${process}/${file}`, 'utf8'), '');
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
