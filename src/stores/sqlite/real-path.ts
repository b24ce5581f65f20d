import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** The path without symbolic links, even if the file does not exist yet. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    // Opening the file reports anything else.
    if ((error as { code?: string }).code !== 'ENOENT') return path;
  }
  const target = targetOf(path);
  return target === undefined
    ? join(realPath(dirname(path)), basename(path))
    : realPath(resolve(dirname(path), target));
}

function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}
