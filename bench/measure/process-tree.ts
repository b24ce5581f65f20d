import { readdirSync, readFileSync } from 'node:fs';

/** CPU time of a process and its descendants, in the kernel too. Exact where `stat` has 10 ms. */
export function cpuMicroseconds(pid: number): number {
  const tasks = treeOf(pid).flatMap((member) =>
    listOf(`/proc/${member}/task`).map((task) => `/proc/${member}/task/${task}/schedstat`),
  );
  return sum(tasks.map((file) => Number(textOf(file).split(' ')[0] ?? 0))) / 1_000;
}

/** The largest resident size of a process and its descendants. */
export function peakMemoryMb(pid: number): number {
  const kilobytes = treeOf(pid).map((member) => {
    const [, peak] = /^VmHWM:\s+(\d+) kB$/m.exec(textOf(`/proc/${member}/status`)) ?? [];
    return Number(peak ?? 0);
  });
  return sum(kilobytes) / 1024;
}

/** Calls of write(2) by a process. */
export function writeCalls(pid: number): number {
  return Number(/^syscw: (\d+)$/m.exec(textOf(`/proc/${pid}/io`))?.[1] ?? 0);
}

function treeOf(root: number): number[] {
  const processes = listOf('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: parentOf(name) }));
  const tree = [root];
  for (const known of tree) {
    tree.push(...processes.filter(({ parent }) => parent === known).map(({ pid }) => pid));
  }
  return tree;
}

/** The second field after the name, which itself may contain spaces and parentheses. */
function parentOf(pid: string): number {
  return Number(textOf(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ')[1]);
}

/** Processes and threads may end while they are being read. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function listOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
