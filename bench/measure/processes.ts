import { readdirSync, readFileSync } from 'node:fs';
import { sum } from './statistics.ts';

/** User and system time of a process and its children. `schedstat` is exact, `stat` counts in 10 ms. */
export function cpuMicroseconds(pid: number): number {
  const threads = familyOf(pid).flatMap(threadsOf);
  return sum(threads.map((thread) => numberIn(`${thread}/schedstat`, /^(\d+)/))) / 1_000;
}

/** The memory of a process and its children, without the files that they map. */
export function memoryMb(pid: number): number {
  const kilobytes = /^RssAnon:\s+(\d+)/m;
  return sum(familyOf(pid).map((each) => numberIn(`${each}/status`, kilobytes))) / 1024;
}

/** How many times a process has called write(2). */
export function writeCalls(pid: number): number {
  return numberIn(`${pid}/io`, /^syscw: (\d+)$/m);
}

/** Finds child processes by their parent, because every process of PostgreSQL has its own session. */
function familyOf(pid: number): number[] {
  const children = threadsOf(pid).flatMap(
    (thread) => textOf(`${thread}/children`).match(/\d+/g) ?? [],
  );
  return [pid, ...children.flatMap((child) => familyOf(Number(child)))];
}

function threadsOf(pid: number): string[] {
  const threads = attempt(() => readdirSync(`/proc/${pid}/task`), []);
  return threads.map((thread) => `${pid}/task/${thread}`);
}

function numberIn(file: string, pattern: RegExp): number {
  return Number(pattern.exec(textOf(file))?.[1] ?? 0);
}

function textOf(file: string): string {
  return attempt(() => readFileSync(`/proc/${file}`, 'utf8'), '');
}

/** Processes and threads may end while they are being read. */
function attempt<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
