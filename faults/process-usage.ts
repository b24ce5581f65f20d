import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** The memory that a process occupies. */
export function residentMb(pid: number): number {
  const [, kb] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) / 1024;
}

/** The number of open files, sockets and pipes. */
export function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** How many sockets a process has open. */
export function socketsOf({ pid }: { readonly pid: number }): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((fd) => {
    try {
      return readlinkSync(join(folder, fd)).startsWith('socket:');
    } catch {
      return false;
    }
  }).length;
}
