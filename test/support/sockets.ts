import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

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
