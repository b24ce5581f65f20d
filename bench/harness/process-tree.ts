import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** A process and all that descend from it. Those that end meanwhile are left out. */
function treeOf(root: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: Number(statOf(Number(name))[1] ?? Number.NaN) }));
  const tree = [root];
  for (const known of tree) {
    tree.push(...parents.filter(({ parent }) => parent === known).map(({ pid }) => pid));
  }
  return tree;
}

/** The fields after the name, which may itself hold spaces and parentheses: state, parent, … */
function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  } catch {
    return [];
  }
}

/** Time on the processor, in programs and in the kernel, of all threads. */
export function cpuSeconds(pid: number): number {
  const ticks = treeOf(pid).map((member) => {
    const stat = statOf(member);
    return Number(stat[11] ?? 0) + Number(stat[12] ?? 0);
  });
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
}

/** The most memory that was resident at once, by the kernel's own account. */
export function peakMemoryMb(pid: number): number {
  const kilobytes = treeOf(pid).map((member) => {
    const [, peak] = /^VmHWM:\s+(\d+) kB$/m.exec(statusOf(member)) ?? [];
    return Number(peak ?? 0);
  });
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1024;
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}
